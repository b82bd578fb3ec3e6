#!/bin/sh
# Learns every duel with the defaults of `ludion learn`, on its usual board and on a larger one where there
# is one, and judges what was learned. Writes a network, the table of the learning and the judgement of each game
# to a folder; what is there is not made again.
#
#     bench/learn_all.sh FOLDER [GAME...]
#
# LUDION names the program (default: target/release/ludion), SECONDS_EACH the longest time that the
# learning of one game may take (default: 1200).
set -u
ludion=${LUDION:-$(dirname "$0")/../target/release/ludion}
limit=${SECONDS_EACH:-1200}
folder=${1:?"a folder for the results"}
shift
mkdir -p "$folder"

# The name of the files, the game, and how it is judged: by the solver in positions after this many
# plies, or in a match against this player, the first of its list in docs/guide/ratings.md.
games='
tictactoe|tictactoe|0..8
matches|matches|0..6
matches-large|matches(100)|0..30
divide|divide|0..8
divide-large|divide(40, 60)|0..30
dice|dice|0..8
dice-large|dice(100)|0..30
marienbad|marienbad|0..8
marienbad-large|marienbad(8)|0..12
hexapawn|hexapawn|0..6
hexapawn-large|hexapawn(4, 5)|0..10
morpion|morpion|0..6
morpion-large|morpion(5)|6..24
connect4|connect4|6..30
connect4-large|connect4(8, 7)|14..40
othello|othello|deepening
othello-small|othello(6)|deepening
hex|hex|deepening
hex-large|hex(13)|deepening
breakthrough|breakthrough|deepening
domineering|domineering|deepening
quarto|quarto|deepening
checkers|checkers|deepening(eval=patterns)
checkers-large|checkers(international)|deepening(eval=patterns)
go|go|mcts
morris|morris|deepening
kalah|kalah|deepening
kalah-large|kalah(7, 6)|deepening
dotsandboxes|dotsandboxes|deepening
dotsandboxes-large|dotsandboxes(5, 5)|deepening
gomoku|gomoku|deepening
gomoku-large|gomoku(19, 19)|deepening
ultimate|ultimate-tictactoe|deepening
'

# Prints the file of what a game learns by default.
file_of() {
    case $1 in
    checkers*) echo "$folder/$1.lpat" ;;
    *) echo "$folder/$1.net" ;;
    esac
}

judge() {
    name=$1 game=$2 how=$3
    file=$(file_of "$name")
    case $file in
    *.lpat) player="deepening(eval=patterns($file))" ;;
    *) player="mcts(eval=net($file))" ;;
    esac
    case $how in
    [0-9]*)
        "$ludion" judge "$game" "$player" "policy($file)" \
            --plies "$how" -n 500 --budget 100ms --seed 2027 ;;
    *)
        "$ludion" match "$game" "$player" "$how" --budget 20ms -n 400 --sprt elo0=0,elo1=30 --store none ;;
    esac
}

echo "$games" | while IFS='|' read -r name game how; do
    [ -n "$name" ] || continue
    case " $* " in "  " | *" $name "*) ;; *) continue ;; esac
    [ -e "$folder/$name.judged" ] && continue
    began=$(date +%s)
    timeout -s INT "$limit" "$ludion" learn "$game" --store none --quiet --out "$(file_of "$name")" \
        >"$folder/$name.learned"
    echo "$(($(date +%s) - began)) s" >>"$folder/$name.learned"
    judge "$name" "$game" "$how" >"$folder/$name.judging" 2>"$folder/$name.errors" </dev/null &&
        mv "$folder/$name.judging" "$folder/$name.judged"
done
