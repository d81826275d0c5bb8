#!/bin/sh
# Installs the Bursar service, or with --edge its program for proxy hosts, on Linux. Run it again to upgrade.
#
#   sh install.sh [--edge] [--version VERSION] [--from URL] [--downgrade]
#   sh install.sh [--edge] --uninstall
#
# It downloads one archive, checks it, and changes nothing before all checks have passed. docs/operating/install.md in the
# archive has the same steps to do by hand. Nothing below runs before the last line has arrived.

# The release writes these three.
RELEASED_VERSION=''
RELEASES_URL=''
ALLOWED_SIGNERS=''

MEGABYTE=1048576
MAX_ARCHIVE_BYTES=$((100 * MEGABYTE))
MAX_UNPACKED_BYTES=$((600 * MEGABYTE))
MAX_LIST_BYTES=65536

main() {
	set -eu
	umask 022
	WORK='' UNPACKING='' DOWNLOAD='' LIB=''
	trap clean_up EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM

	read_arguments "$@"
	settle_names
	if "$UNINSTALL"; then
		check_root
		uninstall
		return
	fi
	check_machine
	check_other_installations
	check_newer
	WORK=$(mktemp -d)
	download
	unpack
	install_files
	if has_systemd; then start; else tell_without_systemd; fi
}

usage() {
	cat <<END
Installs the Bursar service, or upgrades it.

  sh install.sh                      install or upgrade the service
  sh install.sh --edge               the same for bursar-edge, on a proxy host
  sh install.sh --uninstall          remove the programs and the unit, keep settings and data

  --version VERSION                  another version than ${RELEASED_VERSION:-that of this file}
  --from URL                         the folder with the files of that version: https, or http on this machine
  --downgrade                        install it although a newer version is installed
  --unsigned                         accept a release that nobody has signed (or BURSAR_INSTALL_UNSIGNED=1)
END
}

read_arguments() {
	EDGE=false UNINSTALL=false UNSIGNED=false DOWNGRADE=false FROM='' VERSION=$RELEASED_VERSION
	[ "${BURSAR_INSTALL_UNSIGNED:-}" != 1 ] || [ -n "$ALLOWED_SIGNERS" ] || UNSIGNED=true
	while [ $# -gt 0 ]; do
		case $1 in
		--edge) EDGE=true ;;
		--uninstall) UNINSTALL=true ;;
		--unsigned) UNSIGNED=true ;;
		--downgrade) DOWNGRADE=true ;;
		--version | --from)
			[ $# -ge 2 ] || fail "$1 needs a value."
			if [ "$1" = --version ]; then VERSION=$2; else FROM=$2; fi
			shift
			;;
		-h | --help)
			usage
			exit 0
			;;
		*) fail "There is no option $1. --help lists the options." ;;
		esac
		shift
	done
	! "$UNINSTALL" || return 0

	[ -n "$VERSION" ] || fail 'This file is not from a release. Take install.sh from a release.'
	is_match "$VERSION" '[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?' ||
		fail 'A version looks like 1.2.3 or 1.2.3-rc.1.'
	URL=${FROM:-$RELEASES_URL/v$VERSION}
	URL=${URL%/}
	is_allowed "$URL" || fail 'The address must begin with https://, or with http://127.0.0.1 or http://localhost.'
	if [ -z "$ALLOWED_SIGNERS" ] && ! "$UNSIGNED"; then
		fail 'Nobody has signed this release, so nothing shows who made it. It may be an attack.' \
			'If you made it yourself, or trust the server that it comes from, run this with --unsigned.'
	fi
	if [ -n "$ALLOWED_SIGNERS" ] && "$UNSIGNED"; then
		fail 'This release is signed, and its signature is checked always. Leave out --unsigned.'
	fi
}

settle_names() {
	if "$EDGE"; then NAME=bursar-edge PROGRAMS=bursar-edge; else NAME=bursar PROGRAMS='bursar bursarctl'; fi
	LIB=/usr/local/lib/$NAME
	BIN=/usr/local/bin
	SETTINGS=/etc/$NAME/$NAME.env
	DATA=/var/lib/$NAME
	UNIT=/etc/systemd/system/$NAME.service
}

# --- Before anything changes ---

check_root() {
	[ "$(id -u)" = 0 ] || fail 'Run this as root, for instance with sudo.'
}

check_machine() {
	[ "$(uname -s)" = Linux ] || fail 'This installs on Linux only. For other systems there are archives and npm packages.'
	case $(uname -m) in
	x86_64 | amd64) PLATFORM=linux-x64 ;;
	aarch64 | arm64) PLATFORM=linux-arm64 ;;
	*) fail "There is no archive for the processor $(uname -m)." ;;
	esac
	check_root
	missing=''
	for tool in tar xz sha256sum timeout flock useradd; do is_program "$tool" || missing="$missing $tool"; done
	"$UNSIGNED" || is_program ssh-keygen || missing="$missing ssh-keygen"
	is_program curl || is_program wget || missing="$missing curl"
	[ -z "$missing" ] || fail "Programs are missing:$missing" \
		'On Debian and Ubuntu: apt-get install curl xz-utils openssh-client'
}

# Programs of another installation would be started instead of these, or be replaced by them.
check_other_installations() {
	[ ! -e "/usr/bin/$NAME" ] ||
		fail "/usr/bin/$NAME is there already, probably from a Debian package. Upgrade that, or remove it first."
	for program in $PROGRAMS; do
		if [ -e "$BIN/$program" ] || [ -L "$BIN/$program" ]; then
			[ "$(readlink "$BIN/$program")" = "$LIB/current/bin/$program" ] ||
				fail "$BIN/$program is from another installation. Move it away first."
		fi
	done
	[ ! -e "$UNIT" ] || [ -L "$LIB/current" ] || fail "$UNIT is from another installation. Move it away first."
}

# An older version may not know what a newer one has written, such as a suspension.
check_newer() {
	present=$(readlink "$LIB/current" || true)
	if "$DOWNGRADE" || [ -z "$present" ] || ! is_older "$VERSION" "$present"; then return; fi
	guide=$LIB/current/docs/operating/upgrade.md
	[ -e "$guide" ] || guide='the release notes'
	fail "$NAME $present is installed, which is newer than $VERSION. Nothing was changed." \
		"Take the install.sh of a newer release. To go back to this one, read $guide, then add --downgrade."
}

# The list of checksums is signed, and has the checksum of the archive. Each name in it has its version, so the signed list
# of an older release does not pass for this one.
download() {
	archive=$NAME-$VERSION-$PLATFORM.tar.xz
	say "Downloading $archive from $URL"
	fetch SHA256SUMS "$MAX_LIST_BYTES" 120
	if ! "$UNSIGNED"; then
		fetch SHA256SUMS.sig "$MAX_LIST_BYTES" 120
		printf '%s\n' "$ALLOWED_SIGNERS" >"$WORK/allowed_signers"
		ssh-keygen -Y verify -f "$WORK/allowed_signers" -I bursar-release -n bursar-release \
			-s "$WORK/SHA256SUMS.sig" <"$WORK/SHA256SUMS" >"$WORK/log" 2>&1 || {
			show_log
			fail 'The signature of SHA256SUMS is not right. Nothing was installed.'
		}
	fi
	expected=$(awk -v name="$archive" '$2 == name && NF == 2 { print $1 }' "$WORK/SHA256SUMS")
	is_match "$expected" '[0-9a-f]{64}' ||
		fail "SHA256SUMS has no single checksum of $archive. It may be that of another version. Nothing was installed."
	fetch "$archive" "$MAX_ARCHIVE_BYTES" 3600
	actual=$(sha256sum <"$WORK/$archive" | cut -d ' ' -f 1)
	[ "$actual" = "$expected" ] || fail "The checksum of $archive is not right. Nothing was installed."
}

# fetch FILE MAX_BYTES MAX_SECONDS: downloads into $WORK. It runs in the background, so that a signal ends it at once.
fetch() {
	fetch_from "$URL/$1" "$@"
	for redirect in 1 2 3 4 5; do
		[ -n "$LOCATION" ] || break
		[ "$redirect" != 5 ] || fail "The server sends from one address to the next, without an end: $1"
		is_https "$LOCATION" || fail "The server sends to an address that is not https: $1"
		fetch_from "$LOCATION" "$@"
	done
	[ "$STATUS" = 0 ] || {
		show_log
		fail "$1 cannot be downloaded. Nothing was installed."
	}
	[ "$(wc -c <"$WORK/$1")" -le "$2" ] || fail "$1 is larger than $2 bytes. Nothing was installed."
}

# fetch_from URL FILE MAX_BYTES MAX_SECONDS: sets LOCATION if the server sends to another address, and STATUS.
fetch_from() {
	rm -f "$WORK/$2" "$WORK/headers"
	(
		# In blocks of 512 bytes, or of 1,024 in some shells: the system ends a download that is larger.
		ulimit -f $(($3 / 512 + 16)) && cd "$WORK" || exit 1
		if is_program curl; then
			exec curl --disable --globoff --silent --show-error --fail --proto '=http,https' --connect-timeout 20 \
				--speed-limit 1024 --speed-time 30 --max-time "$4" --dump-header headers --output "$2" "$1"
		fi
		exec timeout "$4" wget --no-config --no-verbose --server-response --max-redirect=0 --tries=1 --timeout=30 \
			--output-document="$2" "$1"
	) >"$WORK/log" 2>&1 &
	DOWNLOAD=$!
	STATUS=0
	wait "$DOWNLOAD" || STATUS=$?
	DOWNLOAD=''
	# wget writes the headers into its log.
	[ -f "$WORK/headers" ] || cp "$WORK/log" "$WORK/headers"
	LOCATION=$(head -c 16384 "$WORK/headers" | tr -d '\r' | sed -n 's/^ *[Ll]ocation: //p' | tail -n 1)
}

# Unpacks beside the installed versions, so that one step puts it there.
unpack() {
	mkdir -p "$LIB"
	exec 9<"$LIB"
	flock -n 9 || fail 'Another installation runs.'
	top=$NAME-$VERSION-$PLATFORM
	UNPACKING=$(mktemp -d "$LIB/.unpacking.XXXXXX")
	decompress | LC_ALL=C tar -tv --numeric-owner -f - >"$WORK/files" 2>"$WORK/log" ||
		fail "$archive cannot be read. Nothing was installed."
	# Only files and folders, none outside of the one folder.
	if LC_ALL=C grep -Evq "^[d-][rwx-]{9} [0-9]+/[0-9]+ +[0-9]+ [0-9-]+ [0-9:]+ $(quote "$top")/" "$WORK/files" ||
		LC_ALL=C grep -Eq '/\.\.(/|$)' "$WORK/files"; then
		fail "$archive has files that do not belong there. Nothing was installed."
	fi
	decompress | tar -x --no-same-owner --no-same-permissions -C "$UNPACKING" -f - 2>"$WORK/log" || {
		show_log
		fail "$archive cannot be unpacked. Nothing was installed."
	}
	# It does not start on systems without the usual C library, such as Alpine.
	started=$("$UNPACKING/$top/bin/$NAME" --version 2>&1) ||
		fail "The program does not start on this system: $started" \
			'If libatomic.so.1 is missing: apt-get install libatomic1, or the package libatomic of other systems.'
	[ "$started" = "$VERSION" ] || fail "$archive is another version. Nothing was installed."
}

decompress() {
	xz --decompress --stdout --memlimit-decompress=1GiB "$WORK/$archive" 2>/dev/null | head -c "$MAX_UNPACKED_BYTES"
}

# --- The installation ---

install_files() {
	id "$NAME" >/dev/null 2>&1 ||
		useradd --system --user-group --home-dir "$DATA" --no-create-home --shell /usr/sbin/nologin "$NAME"

	previous=$(readlink "$LIB/current" || true)
	unit_is_ours=true
	if [ -e "$UNIT" ] && ! cmp -s "$UNIT" "$LIB/current/systemd/$NAME.service"; then unit_is_ours=false; fi

	# The same version again repairs its files.
	if [ -e "$LIB/$VERSION" ]; then mv "$LIB/$VERSION" "$UNPACKING/replaced"; fi
	mv "$UNPACKING/$top" "$LIB/$VERSION"
	link "$VERSION" "$LIB/current"
	if [ -n "$previous" ] && [ "$previous" != "$VERSION" ]; then link "$previous" "$LIB/previous"; fi
	mkdir -p "$BIN"
	for program in $PROGRAMS; do link "$LIB/current/bin/$program" "$BIN/$program"; done
	remove_older_versions

	install -d "/etc/$NAME"
	# Existing settings stay. On a proxy host, bursar-edge join writes them.
	"$EDGE" || [ -e "$SETTINGS" ] || install -m 600 "$LIB/current/etc/$NAME.env" "$SETTINGS"
	install -d -m 700 -o "$NAME" -g "$NAME" "$DATA"
}

# link TARGET PATH, in one step.
link() {
	ln -s "$1" "$2.new.$$"
	mv -T "$2.new.$$" "$2"
}

# The previous version stays, to go back to.
remove_older_versions() {
	for folder in "$LIB"/[0-9]*; do
		case ${folder##*/} in
		"$VERSION" | "$(readlink "$LIB/previous" || true)") ;;
		*) rm -rf "$folder" ;;
		esac
	done
}

has_systemd() {
	[ -d /run/systemd/system ]
}

install_unit() {
	if "$unit_is_ours"; then
		install -m 644 "$LIB/current/systemd/$NAME.service" "$UNIT"
	else
		install -m 644 "$LIB/current/systemd/$NAME.service" "$UNIT.new"
		say "You changed $UNIT. It stays as it is, and the new one is beside it: $UNIT.new"
	fi
	systemctl daemon-reload
	systemctl enable "$NAME" >"$WORK/log" 2>&1 || {
		show_log
		fail "The unit cannot be enabled: $UNIT"
	}
}

start() {
	install_unit
	# A proxy host cannot start before it has a key.
	if "$EDGE" && ! systemctl is-active --quiet "$NAME"; then
		tell_edge
		return
	fi
	say "Starting $NAME"
	starts || go_back
	say "$NAME $VERSION runs."
	"$EDGE" || tell_service
}

# Returns 1 if the program ends instead of becoming ready. The unit is active when the program has told systemd that it is
# ready.
starts() {
	systemctl stop "$NAME"
	# What is counted below begins at zero. It is an error if systemd has forgotten the unit already.
	systemctl reset-failed "$NAME" 2>/dev/null || true
	systemctl start --no-block "$NAME" || return 1
	waited=0
	until is_ready; do
		case $(systemctl show -p ActiveState -p NRestarts "$NAME") in
		*ActiveState=failed* | *NRestarts=[1-9]*) return 1 ;;
		esac
		[ "$waited" -lt 120 ] || tell_slow
		sleep 1
		waited=$((waited + 1))
	done
}

is_ready() {
	systemctl is-active --quiet "$NAME" || return 1
	"$EDGE" || get "http://$(ops_address)/readyz" >/dev/null 2>&1
}

# Starts the version from before, if there is one. It refuses a store that a breaking migration has changed.
go_back() {
	say "$NAME $VERSION does not start. It says why:" '' "  journalctl -u $NAME -n 100" ''
	{ [ -n "$previous" ] && [ "$previous" != "$VERSION" ]; } || exit 1
	say "Going back to $previous"
	link "$previous" "$LIB/current"
	rm "$LIB/previous"
	if "$unit_is_ours"; then install_unit; fi
	starts || fail "$previous does not start either. If the release notes of $VERSION say that a migration is breaking," \
		"restore the backup, or mend what keeps $VERSION from starting and run this again."
	fail "$NAME $previous runs again. Mend what keeps $VERSION from starting, then run this again."
}

tell_slow() {
	before=$(readlink "$LIB/previous" || true)
	say "$NAME is not ready after two minutes. It may still change a large store. See what it does:" '' \
		"  journalctl -u $NAME -n 100" ''
	[ -z "$before" ] || say "To go back to $before, unless the release notes say that a migration is breaking:" '' \
		"  ln -sfn $before $LIB/current && cp $LIB/current/systemd/$NAME.service $UNIT" \
		"  systemctl daemon-reload && systemctl restart $NAME"
	exit 1
}

tell_service() {
	if is_program curl; then ask='curl'; else ask='wget -qO-'; fi
	api=http://$(local_address "$(setting BURSAR_HOST 127.0.0.1)"):$(setting BURSAR_PORT 8080)
	say '' "  API and dashboard   $(setting BURSAR_PUBLIC_URL "$api")" \
		"  settings            $SETTINGS, then: systemctl restart bursar" \
		"  data                $DATA" '' \
		'See that it is ready:' '' "  $ask http://$(ops_address)/readyz" ''
	# Fails if there is an operator already.
	# shellcheck disable=SC2046 # These are words.
	if link=$($(as_service) operator claim --json 2>/dev/null </dev/null | sed -n 's/.*"link":"\([^"]*\)".*/\1/p') &&
		[ -n "$link" ]; then
		say 'Become the first operator. The link is good once, within 24 hours:' '' "  $link" ''
		case $link in
		http://127.0.0.1:* | http://localhost:*)
			port=$(setting BURSAR_PORT 8080)
			say 'From another computer, first run this there, with the name of this machine:' '' \
				"  ssh -L $port:127.0.0.1:$port root@THIS_MACHINE" ''
			;;
		esac
	fi
	say 'Create a reseller, which prints its token, and use the API with it:' '' \
		'  bursar reseller create acme --balance 500.00' \
		"  curl -H 'Authorization: Bearer TOKEN' $api/reseller/my_info"
}

tell_edge() {
	say "bursar-edge $VERSION is installed. Where the service runs, make a link for this proxy host:" '' \
		'  bursar edge create NAME' '' \
		'Then, here:' '' '  bursar-edge join LINK' '  systemctl start bursar-edge'
}

tell_without_systemd() {
	say "$NAME $VERSION is installed, but this system does not run systemd. Start it yourself, and again at each start of the system:" ''
	if "$EDGE"; then
		say '  bursar-edge join LINK' "  runuser -u bursar-edge -- bursar-edge proxy --help"
	else
		say '  bursar serve' '' "Started by root, it reads $SETTINGS and becomes the user bursar."
	fi
}

# The operator's program, as the user of the service. systemd reads the settings as it does for the unit, so that no secret
# stands among the arguments of a process.
as_service() {
	echo "systemd-run -qPG --uid=bursar -p EnvironmentFile=$SETTINGS -E BURSAR_DATA_DIR=$DATA $BIN/bursar"
}

# is_older VERSION OTHER: 1.0.0-rc.1 is older than 1.0.0.
is_older() {
	[ "$1" != "$2" ] && [ "$(printf '%s\n' "$1" "$2" | tr - '~' | sort -V | head -n 1 | tr '~' -)" = "$1" ]
}

# setting NAME DEFAULT: the value in the file of settings.
setting() {
	value=$(sed -n "s/^ *$1=//p" "$SETTINGS" | tail -n 1 | tr -d "\"'")
	echo "${value:-$2}"
}

ops_address() {
	echo "$(local_address "$(setting BURSAR_OPS_HOST 127.0.0.1)"):$(setting BURSAR_OPS_PORT 9464)"
}

# The address at which this machine reaches a listener of its own.
local_address() {
	case $1 in
	0.0.0.0 | ::) echo 127.0.0.1 ;;
	*:*) echo "[$1]" ;;
	*) echo "$1" ;;
	esac
}

get() {
	if is_program curl; then
		curl --disable --noproxy '*' --silent --fail --max-time 5 "$1"
	else
		wget --no-config --no-proxy --quiet --tries=1 --timeout=5 --output-document=- "$1"
	fi
}

# --- The removal ---

uninstall() {
	if [ ! -e "$LIB" ] && [ ! -e "$UNIT" ]; then fail "$NAME is not installed by this program."; fi
	if [ -e "$UNIT" ]; then
		if has_systemd; then systemctl disable --now "$NAME"; fi
		rm -f "$UNIT" "$UNIT.new"
		if has_systemd; then systemctl daemon-reload; fi
	fi
	for program in $PROGRAMS; do
		if [ "$(readlink "$BIN/$program" || true)" = "$LIB/current/bin/$program" ]; then rm -f "$BIN/$program"; fi
	done
	rm -rf "$LIB"
	say "$NAME was removed. These stay, and so does the user $NAME:" '' "  settings  /etc/$NAME" "  data      $DATA"
}

# --- Small things ---

clean_up() {
	[ -z "$DOWNLOAD" ] || kill "$DOWNLOAD" 2>/dev/null || true
	[ -z "$WORK" ] || rm -rf "$WORK"
	if [ -n "$UNPACKING" ]; then rm -rf "$UNPACKING"; fi
	# Only if it is empty.
	rmdir "$LIB" 2>/dev/null || true
}

say() {
	printf '%s\n' "$@"
}

fail() {
	printf '%s\n' "$@" >&2
	exit 1
}

# What another program has said, without control characters.
show_log() {
	head -c 1000 "$WORK/log" | LC_ALL=C tr -cd '\n -~' >&2
}

is_program() {
	command -v "$1" >/dev/null 2>&1
}

# is_match TEXT PATTERN: whether the whole text, which is one line, matches.
is_match() {
	[ "$(printf '%s' "$1" | tr -d '\n')" = "$1" ] && printf '%s\n' "$1" | grep -Eqx "$2"
}

is_https() {
	is_match "$1" 'https://[^@[:space:]/?#]+([/?#][!-~]*)?'
}

# https, or a server of this machine.
is_allowed() {
	is_https "$1" || is_match "$1" 'http://(127\.0\.0\.1|localhost)(:[0-9]+)?(/[!-~]*)?'
}

# The text as a pattern that matches only it.
quote() {
	printf '%s' "$1" | sed 's/\./\\./g'
}

{ main "$@" </dev/null; }
