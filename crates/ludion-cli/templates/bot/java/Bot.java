import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * my_bot: a bot that plays any game of Ludion.
 *
 * <p>Put your own idea into {@link #choose}; the rest of the file speaks the protocol, which Ludion
 * describes in docs/guide/protocol.md. The bot reads one command a line and answers on standard
 * output. What it prints to System.err is for you: Ludion shows the last line if the bot fails.
 */
public class Bot {
    /** With its parameters, such as "connect4" or "hexapawn(rows=4)". */
    private String game = "";
    /** The position in the notation of the game; null is the start of the game. */
    private String state;
    /** The moves played since the state; Ludion sends the state after them, and no moves. */
    private List<String> moves = List.of();
    /** The legal moves of the position. */
    private List<String> legal = List.of();

    private long seed;
    private Random random = new Random(seed);

    /**
     * Returns the move to play, one of {@link #legal}.
     *
     * <p>This is the place for your own idea; as it stands, the bot plays a random move. Draw random
     * numbers from {@link #random} only, so that games can be repeated. Keep to the limits: a move
     * that comes a second late loses the game.
     *
     * @param limits "movetime" (milliseconds), "depth" (plies), "nodes" (states); none of them
     *     means that the bot decides for itself
     */
    private String choose(Map<String, Long> limits) {
        return legal.get(random.nextInt(legal.size()));
    }

    /** Carries out a command; returns whether the bot goes on. */
    private boolean obey(String line) {
        List<String> words = List.of(line.trim().split("\\s+"));
        List<String> rest = words.subList(1, words.size());
        switch (words.get(0)) {
            case "ugi": // who are you?
                say("id name my_bot");
                say("option name Seed type spin default 0 min 0 max 2147483647");
                say("feature game"); // tell me which game it is; I play any
                say("feature legal"); // send the legal moves with every position
                say("ugiok");
                break;
            case "isready":
                say("readyok");
                break;
            case "setoption":
                if (rest.size() == 4 && rest.get(1).equals("Seed")) {
                    seed = Long.parseLong(rest.get(3));
                }
                break;
            case "game":
                game = String.join(" ", rest);
                break;
            case "uginewgame":
                random = new Random(seed);
                break;
            case "position":
                readPosition(rest);
                break;
            case "legal":
                legal = rest;
                break;
            case "go":
                if (legal.isEmpty()) {
                    say("error there is no legal move, or the line legal is missing");
                } else {
                    say("bestmove " + choose(readLimits(rest)));
                }
                break;
            case "quit":
                return false;
            default:
                // Other lines are ignored, as the protocol asks; so is `stop`, because `choose` has
                // always answered before the bot reads it.
        }
        return true;
    }

    /** Reads "startpos" or "fen STATE", either with "moves M M ..." behind it. */
    private void readPosition(List<String> words) {
        int at = words.indexOf("moves");
        int end = at < 0 ? words.size() : at;
        boolean fen = end > 0 && words.get(0).equals("fen");
        state = fen ? String.join(" ", words.subList(1, end)) : null;
        moves = words.subList(Math.min(end + 1, words.size()), words.size());
        legal = List.of();
    }

    /** Reads the words after "go", such as "movetime 100". */
    private static Map<String, Long> readLimits(List<String> words) {
        Map<String, Long> limits = new HashMap<>();
        for (int i = 0; i + 1 < words.size(); i++) {
            if (words.get(i + 1).matches("[0-9]{1,18}")) {
                limits.put(words.get(i), Long.parseLong(words.get(i + 1)));
            }
        }
        return limits;
    }

    private static void say(String line) {
        System.out.println(line);
        // Otherwise the line may wait in a buffer, and the bot seems to hang.
        System.out.flush();
    }

    public static void main(String[] args) throws IOException {
        Bot bot = new Bot();
        BufferedReader input =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line = input.readLine();
        while (line != null && bot.obey(line)) {
            line = input.readLine();
        }
    }
}
