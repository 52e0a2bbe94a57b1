# What scripts/package-try does inside the container. Ends at the first thing that is not so.
set -euo pipefail
cd /opt/try
fail() { echo "FAILED: $*"; systemctl status --no-pager 'transom@*' || true; journalctl --no-pager -b -n 40 -u 'transom@*' || true; exit 1; }
# The program's answer counts what it was asked for.
answers() {
  curl -sS --max-time 20 -X PUT http://localhost:2222/comm1k/mapping/CABASIC-RS2/1 \
    -H 'Content-Type: application/json' -d '{"COMM1KOperation":{"count_out":2}}' > answer 2>&1 || true
  grep -q '^{"COMM1KOperationResponse"' answer || { cat answer; fail "no answer $1"; }
}
ip link set lo up 2>/dev/null || true

echo "== installed"
apt-get install -y -qq --no-install-recommends ./transom_0.1.0+try1_*.deb >/dev/null
transom --version
[ "$(stat -c '%U %a' /var/lib/transom)" = "transom 750" ] || fail "the owner of /var/lib/transom"
systemctl is-active -q transom@gateway && fail "a region runs that nobody started"

echo "== a region of the sample"
install -d -o transom -g transom /var/lib/transom/gateway
cp -r /usr/share/doc/transom/samples/gateway/. /var/lib/transom/gateway/
chown -R transom:transom /var/lib/transom/gateway
systemctl enable --now -q transom@gateway || fail "the region does not start"
answers "at first"
journalctl -q -b -u transom@gateway | grep -E "TXMWK00(19|20)W" && fail "workers are not confined"
runuser -u transom -- env TRANSOM_RUNTIME_DIR=/run/transom transom status /var/lib/transom/gateway || fail "no status"
[ "$(ps -o user= -p "$(systemctl show -P MainPID transom@gateway)" | tr -d ' ')" = transom ] || fail "the user of the region"

echo "== killed, it comes again"
first=$(systemctl show -P MainPID transom@gateway)
kill -9 "$first"
for _ in $(seq 60); do
  sleep 1
  if [ "$(systemctl show -P MainPID transom@gateway)" != "$first" ] && systemctl is-active -q transom@gateway; then break; fi
done
answers "after a kill"

echo "== upgraded while it runs"
second=$(systemctl show -P MainPID transom@gateway)
apt-get install -y -qq --no-install-recommends ./transom_0.1.0+try2_*.deb >/dev/null
systemctl is-active -q transom@gateway || fail "the region did not come back"
[ "$(systemctl show -P MainPID transom@gateway)" != "$second" ] || fail "the old executable still runs"
answers "after the upgrade"

echo "== an upgrade that is interrupted is taken up"
dpkg --unpack ./transom_0.1.0+try2_*.deb >/dev/null
answers "in the middle of an upgrade"
dpkg --configure -a >/dev/null
answers "after the second half"

echo "== stopped, removed, purged"
systemctl stop transom@gateway || fail "it does not stop"
[ "$(systemctl show -P Result transom@gateway)" = success ] || fail "the end was not orderly"
systemctl start transom@gateway || fail "it does not start again"
apt-get remove -y -qq transom >/dev/null
pgrep -x transom >/dev/null && fail "a region runs without its package"
apt-get purge -y -qq transom >/dev/null 2>&1
[ -e /usr/bin/transom ] && fail "the executable is still there"
[ -f /var/lib/transom/gateway/transom.toml ] || fail "the system directory was taken away"
[ ! -e /etc/transom ] || fail "/etc/transom is left"
echo "== all of it"
