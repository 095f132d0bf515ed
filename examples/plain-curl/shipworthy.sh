#!/usr/bin/env bash
# Reports to Shipworthy from a pipeline that has bash, curl (7.71 or later) and coreutils, and nothing else.
#
#   shipworthy.sh deploy   APP ENVIRONMENT COMMIT -- COMMAND...   start, run, finish; ends with the command's exit code,
#                                                                 or before it ran, where the start cannot be reported
#   shipworthy.sh test-run APP PASSED FAILED [SUITE]              record a run of the tests
#   shipworthy.sh gate     APP                                    0 go, 3 hold, 5 unknown
#
# SHIPWORTHY_API_URL and SHIPWORTHY_API_KEY must be set. SHIPWORTHY_RUN_ID (the pipeline's run and attempt) makes a
# repeated step the same request. Other exit codes: 2 refused or misused, 4 the key, 5 unreachable or not understood.
set -euo pipefail

# The text as one line that neither a terminal nor a CI system obeys: without control characters and marks of direction, and
# with a space within the commands of CI systems (::name, ##[name], ##vso[name]).
shown() {
  local LC_ALL=C text=$1
  text=${text//[[:cntrl:]]/ }
  text=${text//$'\xc2'[$'\x80'-$'\x9f']/ }
  text=${text//$'\xe2\x80'[$'\x8e\x8f'$'\xa8'-$'\xae']/ }
  text=${text//$'\xe2\x81'[$'\xa6'-$'\xa9']/ }
  text=${text//$'\xd8\x9c'/ }
  while [[ $text == *::* ]]; do text=${text//::/: :}; done
  while [[ $text == *'##'* ]]; do text=${text//'##'/'# #'}; done
  printf '%s' "$text"
}

# Ends with the exit code $1, saying $2, which may have several lines.
fail() {
  local line lead='shipworthy: '
  while IFS= read -r line; do
    printf '%s%s\n' "$lead" "$(shown "$line")"
    lead=
  done <<<"$2" >&2
  exit "$1"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
url=${SHIPWORTHY_API_URL:?is not set}
url=${url%/}
key=${SHIPWORTHY_API_KEY:?is not set}
# What deploys needs no key.
export -n SHIPWORTHY_API_KEY
run=${SHIPWORTHY_RUN_ID:-$(date +%s)-$$-$RANDOM$RANDOM}
[[ $key =~ ^[A-Za-z0-9_]+$ ]] || fail 4 'SHIPWORTHY_API_KEY is not an API key'
[[ $url =~ ^(https://|http://(127\.0\.0\.1|localhost)(:[0-9]+)?(/|$)) ]] || fail 2 'SHIPWORTHY_API_URL must be https'

# An id as it is written in JSON.
id_pattern='^"[0-9a-f-]{36}"$'

# A JSON string of any text.
json_string() {
  local text=$1 backslash=\\ quote=\"
  text=${text//"$backslash"/"$backslash$backslash"}
  text=${text//"$quote"/"$backslash$quote"}
  text=${text//$'\n'/"${backslash}n"}
  text=${text//$'\r'/"${backslash}r"}
  text=${text//$'\t'/"${backslash}t"}
  printf '"%s"' "$text"
}

# What stands in a JSON string, as it is shown.
plain() {
  local text=$1
  text=${text//'\"'/'"'}
  text=${text//'\n'/ }
  text=${text//'\\'/'\'}
  shown "$text"
}

# Every value of the string member $1 in the JSON text $2, one per line after $3.
members() {
  local pattern="\"$1\":\"(([^\"\\\\]|\\\\.)*)\"" rest=$2
  while [[ $rest =~ $pattern ]]; do
    printf '%s%s\n' "$3" "$(plain "${BASH_REMATCH[1]}")"
    rest=${rest#*"${BASH_REMATCH[0]}"}
  done
}

# call METHOD PATH [JSON]: the answer's body in $body, its content type in $type and its Location in $location, or the end
# with what is wrong.
call() {
  local method=$1 path=$2 json=${3-} answered status line try
  local words=(--silent --show-error --request "$method" --header 'Accept: application/json')
  words+=(--connect-timeout 5 --max-time 30 --retry 5 --retry-all-errors --retry-max-time 60)
  words+=(--output "$scratch/body" --dump-header "$scratch/head" --write-out '%{http_code} %{content_type}')
  if [[ -n $json ]]; then
    words+=(--header 'Content-Type: application/json' --data-raw "$json")
    # One run's same report is the same request, however often it is sent.
    [[ $method == POST ]] && words+=(--header "Idempotency-Key: $run-$(printf %s "$json" | cksum | tr ' ' -)")
  fi
  for try in 1 2 3 4 5; do
    # An answer without a body leaves no file.
    : >"$scratch/body"
    # The key goes through a pipe: arguments can be read by everyone on the machine.
    answered=$(curl --config <(printf 'header = "Authorization: Bearer %s"\n' "$key") "${words[@]}" "$url$path") ||
      fail 5 "$method $path: the service could not be reached"
    body=$(<"$scratch/body") status=${answered%% *} type=${answered#* }
    [[ $status == 409 && $body == *'/idempotency-key-in-use"'* && $try != 5 ]] || break
    sleep 1
  done
  location=
  while IFS= read -r line; do
    [[ $line == [Ll]ocation:* ]] && location=${line#*: } && location=${location%$'\r'}
  done <"$scratch/head"
  if [[ $status == 2?? ]]; then
    # Below a path of its origin the service puts that path in front, and so does $url.
    [[ $url =~ ^https?://[^/]+(/.*)$ ]] && location=${location#"${BASH_REMATCH[1]}"}
    [[ $method != POST || $location == /api/* ]] || fail 5 "$method $path: the answer names no record"
    return
  fi
  local details
  details=$(members detail "$body" '' && members message "$body" '  ')
  details="$method $path: $status ${details:-${body:0:200}}"
  case $status in
    401 | 403) fail 4 "$details" ;;
    # Still too many requests, or too slow, after the repetitions.
    408 | 429) fail 5 "$details" ;;
    4??) fail 2 "$details" ;;
    *) fail 5 "$details" ;;
  esac
}

# Reads the JSON text $1 into the lists $paths and $values: the path of every value, such as /"data"/0/"name", and the value
# as it is written, or { or [ for what holds others. Fails unless the text is one whole JSON value. Members may come in any
# order, and unknown ones do no harm.
read_json() {
  local LC_ALL=C IFS=/ parts part token backslashes inside=0 text= expected=value depth=0 here=() kinds=()
  local number='^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$'
  paths=() values=()
  # Every second part stands between quotes.
  mapfile -t -d '"' parts < <(printf '%s"' "$1")
  for part in "${parts[@]}"; do
    if [[ $inside == 1 ]]; then
      text+=$part
      backslashes=${text##*[!\\]}
      # The quote after an odd number of backslashes belongs to the string.
      [[ $((${#backslashes} % 2)) == 0 ]] || { text+=\" && continue; }
      [[ $text != *[[:cntrl:]]* ]] || return 1
      if [[ $expected == name || $expected$depth${kinds[depth]-} == first$depth'{' ]]; then
        # Spelt by escapes a name may be the same as another one, which would be there twice then.
        [[ $text != *\\u* ]] || return 1
        here[depth]="\"$text\"" expected=colon
      else
        keep_value "\"$text\"" || return 1
        expected=after
      fi
      inside=0
      continue
    fi
    while [[ $part =~ ^[[:space:]]*([][{}:,]|[-+.0-9A-Za-z]+) ]]; do
      token=${BASH_REMATCH[1]} part=${part:${#BASH_REMATCH[0]}}
      case $expected$token in
        value[\{\[] | first[\{\[])
          keep_value "$token" || return 1
          depth=$((depth + 1)) expected=first
          kinds[depth]=$token here[depth]=0
          ;;
        first[\}\]] | after[\}\]])
          [[ ${kinds[depth]-}$token == '{}' || ${kinds[depth]-}$token == '[]' ]] || return 1
          depth=$((depth - 1)) expected=after
          ;;
        after,)
          expected=name
          [[ ${kinds[depth]-} == '[' ]] && here[depth]=$((here[depth] + 1)) expected=value
          ;;
        colon:) expected=value ;;
        *)
          [[ $token == true || $token == false || $token == null || $token =~ $number ]] || return 1
          keep_value "$token" || return 1
          expected=after
          ;;
      esac
    done
    [[ -z ${part//[[:space:]]/} ]] || return 1
    inside=1 text=
  done
  [[ $expected == after && $depth == 0 ]]
}

# For read_json alone: takes a value in, where one may stand.
keep_value() {
  [[ $expected == value || $expected${kinds[depth]-} == 'first[' ]] || return 1
  paths+=("${here[*]:1:depth}") values+=("$1")
}

# Reads the body of the last call by read_json. Fails unless it is JSON, and is said to be.
read_body() {
  local json='^application/([a-z0-9.+_-]+\+)?json[[:space:]]*(;.*)?$'
  [[ ${type,,} =~ $json ]] && read_json "$body"
}

# Sets $value to the value at the path $1. Fails unless it, and all it stands in, is there exactly once.
value_at() {
  local path=$1 at count
  while [[ -n $path ]]; do
    count=0
    for at in "${!paths[@]}"; do
      [[ ${paths[at]} == "$path" ]] || continue
      count=$((count + 1))
      [[ $path != "$1" ]] || value=${values[at]}
    done
    [[ $count == 1 ]] || return 1
    [[ $path == */* ]] || return 0
    path=${path%/*}
  done
}

# Prints every text at the paths that match $1, one per line after $2.
texts_at() {
  local at
  for at in "${!paths[@]}"; do
    [[ ${paths[at]} =~ $1 && ${values[at]} == \"* ]] && printf '%s%s\n' "$2" "$(plain "${values[at]:1:-1}")"
  done
  return 0
}

# Sets $project to the path of the project named $1: from the environment, or from the teams that the key sees.
find_project() {
  if [[ -n ${SHIPWORTHY_TEAM_ID-} && -n ${SHIPWORTHY_PROJECT_ID-} ]]; then
    project=/api/teams/${SHIPWORTHY_TEAM_ID,,}/projects/${SHIPWORTHY_PROJECT_ID,,}
    return
  fi
  call GET /api/teams
  read_body || fail 5 'the answer is no list of teams'
  local name at place team_id found=()
  name=$(json_string "$1")
  for at in "${!paths[@]}"; do
    [[ ${paths[at]} =~ ^\"data\"/[0-9]+/\"projects\"/[0-9]+/\"name\"$ && ${values[at]} == "$name" ]] || continue
    found+=("${paths[at]%/*}")
  done
  [[ ${#found[@]} != 0 ]] || fail 2 "the key sees no project named $1"
  [[ ${#found[@]} == 1 ]] || fail 2 "several projects are named $1: set SHIPWORTHY_TEAM_ID and SHIPWORTHY_PROJECT_ID"
  place=${found[0]}
  value_at "${place%/*/*}/\"id\"" && [[ $value =~ $id_pattern ]] || fail 5 'the answer names no team'
  team_id=${value:1:-1}
  value_at "$place/\"id\"" && [[ $value =~ $id_pattern ]] || fail 5 'the answer names no project'
  project=/api/teams/$team_id/projects/${value:1:-1}
}

deploy() {
  [[ $# -ge 5 && $4 == -- ]] || fail 2 'deploy APP ENVIRONMENT COMMIT -- COMMAND...'
  local fields code=0 outcome=success ended=0 deployment from
  fields="\"app_name\":$(json_string "$1"),\"environment\":$(json_string "$2"),\"commit_sha\":$(json_string "$3")"
  shift 4
  call POST /api/deployments "{$fields,\"status\":\"started\"}"
  deployment=$location
  from=$SECONDS
  trap 'ended=130' INT
  trap 'ended=143' TERM
  "$@" || code=$?
  [[ $ended != 0 ]] && code=$ended
  [[ $code == 0 ]] || outcome=failure
  # What was deployed stays so where its end cannot be reported; a shell of its own, since call ends the one it runs in.
  if (call PUT "$deployment" "{\"status\":\"$outcome\",\"duration_seconds\":$((SECONDS - from))}"); then
    printf 'shipworthy: deployment %s: %s\n' "${deployment##*/}" "$outcome"
  else
    printf 'shipworthy: the end of deployment %s was not reported\n' "${deployment##*/}" >&2
  fi
  exit "$code"
}

test_run() {
  [[ $# -ge 3 && $2 =~ ^[0-9]{1,9}$ && $3 =~ ^[0-9]{1,9}$ ]] || fail 2 'test-run APP PASSED FAILED [SUITE]'
  local passed=$((10#$2)) failed=$((10#$3)) suite=
  [[ -n ${4-} ]] && suite=",\"suite\":$(json_string "$4")"
  find_project "$1"
  call POST "$project/test-runs" "{\"total\":$((passed + failed)),\"passed\":$passed,\"failed\":$failed$suite}"
  printf 'shipworthy: test run %s: %d passed, %d failed\n' "${location##*/}" "$passed" "$failed"
}

gate() {
  [[ $# == 1 ]] || fail 2 'gate APP'
  local project_id release_id decision
  find_project "$1"
  # Which release the verdict must be about.
  call GET "$project"
  read_body && value_at '"data"/"id"' || fail 5 'the answer names no project'
  project_id=$value
  [[ $project_id == "\"${project##*/}\"" ]] || fail 5 'the answer is about another project'
  value_at '"data"/"active_release"' || fail 5 'the answer names no release'
  [[ $value != null ]] || fail 2 "$1 has no active release"
  value_at '"data"/"active_release"/"id"' && [[ $value =~ $id_pattern ]] || fail 5 'the answer names no release'
  release_id=$value
  call GET "$project/releases/${release_id:1:-1}/readiness"
  # Nothing but the word go, in its own place and about this release, lets a pipeline go on.
  read_body && value_at '"data"/"gate"/"decision"' || fail 5 'the answer names no decision'
  decision=$value
  [[ $decision == '"go"' || $decision == '"hold"' || $decision == '"unknown"' ]] || fail 5 'the answer names no decision'
  value_at '"data"/"release"/"id"' && [[ $value == "$release_id" ]] || fail 5 'the answer is about another release'
  value_at '"data"/"project"/"id"' && [[ $value == "$project_id" ]] || fail 5 'the answer is about another project'
  printf 'shipworthy: %s\n' "${decision:1:-1}"
  texts_at '^"data"/"gate"/"reasons"/[0-9]+/"message"$' '  because '
  texts_at '^"data"/"gate"/"next_steps"/[0-9]+/"message"$' '  next '
  case $decision in '"go"') exit 0 ;; '"hold"') exit 3 ;; *) exit 5 ;; esac
}

command=${1-}
[[ $# -gt 0 ]] && shift
case $command in
  deploy) deploy "$@" ;;
  test-run) test_run "$@" ;;
  gate) gate "$@" ;;
  *) fail 2 'deploy, test-run or gate?' ;;
esac
