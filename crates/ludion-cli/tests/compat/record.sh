#!/usr/bin/env bash
# Records the fixtures and golden files of this folder with a build of Ludion 0.1.0:
#
#     git worktree add /tmp/ludion-0.1.0 83b9709
#     cargo build --release --manifest-path /tmp/ludion-0.1.0/Cargo.toml
#     crates/ludion-cli/tests/compat/record.sh /tmp/ludion-0.1.0/target/release/ludion [PART...]
#
# The parts are, in this order: files store commands requests contest bot cluster. Without a part
# all of them are recorded. It needs sqlite3, curl and nats-server. Files that people write are not
# recorded: fixtures/cup.toml, fixtures/*-weights.json, fixtures/positions.txt and lists/*.txt.
set -euo pipefail
shopt -s inherit_errexit

program=$(realpath "$1")
shift
parts=${*:-files store commands requests contest bot cluster}
here=$(cd "$(dirname "$0")" && pwd)
work=$(realpath "$(mktemp -d)")
# Programs in the background that have not been waited for.
declare -A started
finish() {
    for id in "${!started[@]}"; do kill -KILL "$id" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT
"$program" --version | grep -q '^ludion 0\.1\.0' || { echo "$program is not 0.1.0" >&2; exit 1; }

# `bot check` starts the program by its name.
export PATH="$(dirname "$program"):$PATH:/usr/sbin"
export LUDION_STORE=none NO_COLOR=1
unset LUDION_TOKEN

# Every command runs with two threads, so that no output depends on the machine.
ludion() { "$program" "$@" --threads 2; }

# Changes to a new folder with a copy of every fixture.
enter() {
    cd "$(mktemp -d -p "$work")"
    cp "$here"/fixtures/* .
}

# An archive, models, endgames and solutions.
files() {
    cd "$work"
    ludion generate checkers -n 40 --seed 3 --out archive.games >/dev/null
    ludion data export archive.games --format pdn -n 3 -o archive.pdn
    ludion train checkers --data archive.games --epochs 2 --layers 4 --out network.safetensors \
        >/dev/null
    ludion checkers endgames --pieces 3 --out three.endgames >/dev/null
    ludion hextris solve -f dot -f pair -t 20 --solver baseline >solutions.json
    # Taken from the store, because a model that --out writes contains the path of the file.
    ludion learn tictactoe --rounds 2 --games 50 --pairs 20 --depth 2 --store learn.sqlite3 \
        >/dev/null
    sqlite3 learn.sqlite3 "SELECT writefile('patterns.lpat', value) FROM keepsakes
        WHERE kind = 'learn' AND name LIKE '%model of round 1'" >/dev/null
    mv archive.games archive.pdn network.safetensors three.endgames solutions.json patterns.lpat \
        "$here/fixtures/"
}

# The number of the newest run that was not started by another run.
newest() { sqlite3 "$LUDION_STORE" "SELECT ifnull(max(id), 0) FROM runs WHERE parent IS NULL"; }

# stop SIGNAL ID: ends a program in the background.
stop() {
    kill "-$1" "$2"
    wait "$2" || true
    unset "started[$2]"
}

# interrupt SIGNAL TABLE COUNT COMMAND...: starts a run and sends it the signal as soon as the
# table has COUNT rows of the run or of the runs that it started.
interrupt() {
    local signal=$1 table=$2 count=$3 before id run=0 rows=0
    shift 3
    before=$(newest)
    "$program" "$@" --threads 2 >/dev/null 2>&1 &
    id=$!
    started[$id]=1
    until [ "$run" -gt "$before" ] && [ "$rows" -ge "$count" ]; do
        kill -0 "$id" 2>/dev/null || { echo "ended too early: $*" >&2; exit 1; }
        run=$(newest 2>/dev/null || echo 0)
        rows=$(sqlite3 "$LUDION_STORE" "SELECT count(*) FROM $table JOIN runs ON runs.id = run
            WHERE $run IN (runs.id, runs.parent)" 2>/dev/null || echo 0)
    done
    stop "$signal" "$id"
    if [ "$(sqlite3 "$LUDION_STORE" "SELECT state FROM runs WHERE id = $run")" = finished ]; then
        echo "finished before the signal: $*" >&2
        exit 1
    fi
}

# serve COMMAND...: starts a server, waits until it listens, and sets `url` and `server`.
serve() {
    rm -f "$work/address"
    "$program" "$@" --json --threads 2 >"$work/address" &
    server=$!
    started[$server]=1
    until url=$(grep -o 'http://[0-9.:]*' "$work/address" 2>/dev/null); do sleep 0.02; done
}

# One run of every kind, and interrupted ones. lists/store.txt has their numbers.
store() {
    enter
    rm -f store-0.1.0.sqlite3
    export LUDION_STORE=store-0.1.0.sqlite3
    keep() { ludion "$@" >/dev/null; }
    keep match connect4 "uct(sims=30)" "montecarlo(sims=30)" -n 3 --seed 7
    keep match "checkers(seed)" "alphabeta(depth=2, eval=material)" random -n 2 --seed 8
    keep match checkers "mlp(model=network.safetensors)" "knn(data=archive.games)" -n 1
    keep match tictactoe "alphabeta(depth=1, eval=patterns(patterns.lpat))" random -n 9 \
        --sprt elo0=0,elo1=300
    keep tournament tictactoe --players random "montecarlo(sims=20)" "minimax(depth=9)" -n 2 \
        --budget 50sims
    keep championship tictactoe "mcts(select=phi, a=1..3, sims=10)"
    keep mastermind run --pegs 3 --colours 4
    keep mastermind table --pegs 3,4 --colours 4,5 --runs 3
    keep hextris tune --train dot --held-out pair --generations 1 --states 1 --seeds 1
    keep learn tictactoe --rounds 2 --games 50 --pairs 20 --depth 2
    keep experiment --games 20 --matches 2 --epochs 1 --layers 4
    interrupt INT games 4 match connect4 "uct(sims=10000)" "montecarlo(sims=100)" -n 8
    interrupt KILL games 4 match tictactoe "montecarlo(sims=20000)" random -n 10
    interrupt INT games 4 tournament tictactoe -n 4 \
        --players random "montecarlo(sims=20000)" "ucb(sims=20000)"
    interrupt KILL outputs 4 mastermind table --pegs 20 --colours 30 --runs 20
    interrupt INT outputs 1 hextris tune --train swing --held-out pair --generations 3 \
        --states 16 --seeds 1
    interrupt INT outputs 1 learn tictactoe --rounds 3 --games 1000 --pairs 20 --depth 3
    interrupt INT outputs 6 experiment --games 60 --matches 40 --epochs 10 --layers 8
    keep tune matches "ucb(sims=?1..4)" --by cross-entropy --generations 2 -n 2
    interrupt INT games 6 tune matches "ucb(sims=?1..4)" --by cross-entropy --generations 2 \
        -n 2 --against "ucb(sims=5000)"
    # A team, whose token is no secret, with scored solutions.
    ludion hextris team add "The Hexagons" --json >team.json
    serve hextris serve dot pair --listen 127.0.0.1:0
    curl -sf -u ":$(token)" "$url/teams/1/solutions" -H 'content-type: application/json' \
        --data-binary @solutions.json >/dev/null
    stop INT "$server"
    sqlite3 "$LUDION_STORE" \
        "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; VACUUM" >/dev/null
    cp store-0.1.0.sqlite3 team.json "$here/fixtures/"
    export LUDION_STORE=none
}

token() { sed 's/.*"token":"\([^"]*\)".*/\1/' team.json; }

# list NAME: records the output of every command of a list. A line has the name of the golden file
# and the words of the command.
list() {
    enter
    while read -r name words; do
        case $name in '' | '#'*) continue ;; esac
        eval "set -- $words"
        ludion "$@" </dev/null >"$here/golden/$name" 2>"$work/errors" ||
            { echo "$name:" >&2; cat "$work/errors" >&2; exit 1; }
    done <"$here/lists/$1.txt"
}

commands() {
    list answers
    export LUDION_STORE=store-0.1.0.sqlite3
    list store
    list changes
    export LUDION_STORE=none
}

# send LIST: records the responses to the requests of a list. A line has the name of the golden
# file, the status, the method, the path and an optional body. NEW in a path is the run that was
# started last. Golden files have FOLDER in place of the working folder.
send() {
    local status new=
    while read -r name expected method path body; do
        case $name in '' | '#'*) continue ;; esac
        status=$(curl -s -o response -w '%{http_code}' -u ":$(token)" -X "$method" \
            -H 'accept: application/json' "$url${path/NEW/$new}" \
            ${body:+-H 'content-type: application/json' --data-binary "$body"})
        [ "$status" = "$expected" ] || { echo "$name: $status $(cat response)" >&2; exit 1; }
        [ "$status" != 201 ] || new=$(sed 's/[^0-9]//g' response)
        case $name in
            # Of a picture, the first tag.
            *.svg) sed 's/>.*/>/; q' response >"$here/golden/$name" ;;
            # Of events that differ in every run, the last of every name.
            *.shape.sse)
                awk 'BEGIN { RS = ""; ORS = "\n\n" }
                    !($2 in last) { names[++n] = $2 }
                    { last[$2] = $0 }
                    END { for (i = 1; i <= n; i++) print last[names[i]] }' response \
                    >"$here/golden/$name"
                ;;
            *) sed "s#$PWD#FOLDER#g" response >"$here/golden/$name" ;;
        esac
    done <"$here/lists/$1.txt"
    stop INT "$server"
}

requests() {
    enter
    serve lab --port 0 --data . --store store-0.1.0.sqlite3
    send lab
}

contest() {
    enter
    serve hextris serve dot pair --listen 127.0.0.1:0 --store store-0.1.0.sqlite3
    send contest
}

# The answers of a player to lists/bot.txt. Input after `go` would stop the search, so the script
# waits there.
bot() {
    { sed '/^go/q' "$here/lists/bot.txt"; sleep 1; sed '1,/^go/d' "$here/lists/bot.txt"; } |
        ludion bot serve "hexapawn(4, 4)" "minimax(depth=3)" >"$here/golden/bot.txt"
}

# Messages between machines: the status of a worker, the refusal of a run of another version, the
# announcement of a run, and the output of `cluster status`.
cluster() {
    local port=42271
    cd "$work"
    command -v nats-server >/dev/null
    nats-server -a 127.0.0.1 -p "$port" -js -sd streams >/dev/null 2>&1 &
    started[$!]=1
    until (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do sleep 0.1; done
    "$program" worker --nats "nats://127.0.0.1:$port" --name anna --folder things --threads 2 \
        >/dev/null 2>&1 &
    started[$!]=1
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    message='{"status":{"id":"00ff","version":"0.0.1"},"phase":"open"}'
    publish() { printf "$@" >&3; }
    publish 'CONNECT {"verbose":false}\r\nSUB compat.> 1\r\nSUB ludion.run.*.notes 2\r\n'
    sleep 1
    publish 'PUB ludion.runs %d\r\n%s\r\n' "${#message}" "$message"
    "$program" match connect4 "uct(sims=20000)" random -n 200 --cluster "nats://127.0.0.1:$port" \
        >/dev/null 2>&1 &
    started[$!]=1
    sleep 1.5
    publish 'PUB ludion.call.workers compat.worker 0\r\n\r\nPUB ludion.call.runs compat.run 0\r\n\r\n'
    { timeout 1 cat <&3 || true; } | tr -d '\r' >messages
    exec 3>&-
    # message_to SUBJECT: the text of the first message to it.
    message_to() { sed -n "/^MSG $1/{n;p;q}" messages; }
    message_to compat.worker >"$here/golden/cluster-worker.shape.json"
    message_to compat.run >"$here/golden/cluster-announcement.shape.json"
    message_to ludion.run.00ff.notes >"$here/golden/cluster-note.shape.json"
    ludion cluster status --nats "nats://127.0.0.1:$port" --json \
        >"$here/golden/cluster-status.shape.json"
}

for part in $parts; do
    "$part"
done
