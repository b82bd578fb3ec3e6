// my_bot: a bot that plays any game of Ludion, in C++17.
//
// Put your own idea into `choose`; the rest of the file speaks the protocol, which Ludion describes
// in docs/guide/protocol.md. The bot reads one command a line and answers on standard output. What
// it writes to std::cerr is for you: Ludion shows the last line if the bot fails.

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using Words = std::vector<std::string>;

// What the bot knows of the game under way.
struct Position {
    std::string game;   // with its parameters, such as "connect4" or "hexapawn(rows=4)"
    std::string state;  // in the notation of the game; empty is the start of the game
    Words moves;        // played since `state`; Ludion sends the state after them, and no moves
    Words legal;        // the legal moves
};

// "movetime" (milliseconds), "depth" (plies), "nodes" (states); none of them means that the bot
// decides for itself.
using Limits = std::map<std::string, std::uint64_t>;

// Returns the move to play, one of `position.legal`.
//
// This is the place for your own idea; as it stands, the bot plays a random move. Draw random
// numbers from `random` only, so that games can be repeated. Keep to `limits`: a move that comes a
// second late loses the game.
std::string choose(const Position& position, const Limits& limits, std::mt19937_64& random) {
    (void)limits;
    // The remainder is the same on every system, which std::uniform_int_distribution is not.
    return position.legal[random() % position.legal.size()];
}

Words split(const std::string& text) {
    std::istringstream stream(text);
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

std::string join(Words::const_iterator begin, Words::const_iterator end) {
    std::string text;
    for (auto word = begin; word != end; ++word) text += (word == begin ? "" : " ") + *word;
    return text;
}

// Reads "startpos" or "fen STATE", either with "moves M M ..." behind it.
void read_position(const Words& words, Position& position) {
    const auto end = std::find(words.begin(), words.end(), "moves");
    const bool fen = end != words.begin() && words[0] == "fen";
    position.state = fen ? join(words.begin() + 1, end) : "";
    position.moves = end == words.end() ? Words() : Words(end + 1, words.end());
    position.legal.clear();
}

// Reads the words after "go", such as "movetime 100".
Limits read_limits(const Words& words) {
    Limits limits;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const std::string& value = words[i + 1];
        if (value.find_first_not_of("0123456789") == std::string::npos && value.size() < 19) {
            limits[words[i]] = std::stoull(value);
        }
    }
    return limits;
}

// Writes a line. std::endl flushes it: otherwise it waits in a buffer, and the bot seems to hang.
void say(const std::string& line) { std::cout << line << std::endl; }

int main() {
    Position position;
    std::uint64_t seed = 0;
    std::mt19937_64 random(seed);
    for (std::string line; std::getline(std::cin, line);) {
        Words rest = split(line);
        const std::string word = rest.empty() ? "" : rest.front();
        if (!rest.empty()) rest.erase(rest.begin());
        if (word == "ugi") {  // who are you?
            say("id name my_bot");
            say("option name Seed type spin default 0 min 0 max 2147483647");
            say("feature game");   // tell me which game it is; I play any
            say("feature legal");  // send the legal moves with every position
            say("ugiok");
        } else if (word == "isready") {
            say("readyok");
        } else if (word == "setoption" && rest.size() == 4 && rest[1] == "Seed") {
            std::istringstream(rest[3]) >> seed;
        } else if (word == "game") {
            position.game = join(rest.begin(), rest.end());
        } else if (word == "uginewgame") {
            random.seed(seed);
        } else if (word == "position") {
            read_position(rest, position);
        } else if (word == "legal") {
            position.legal = rest;
        } else if (word == "go" && position.legal.empty()) {
            say("error there is no legal move, or the line legal is missing");
        } else if (word == "go") {
            say("bestmove " + choose(position, read_limits(rest), random));
        } else if (word == "quit") {
            break;
        }
        // Other lines are ignored, as the protocol asks; so is `stop`, because `choose` has always
        // answered before the bot reads it.
    }
}
