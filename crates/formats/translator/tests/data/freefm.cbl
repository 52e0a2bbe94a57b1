identification division.
program-id. freefm.
data division.
working-storage section.
01 ws-time pic s9(15) comp-3.   *> ABSTIME
01 ws-date pic x(10).
procedure division.
main-1.
  exec cics asktime abstime(ws-time) end-exec
  exec cics formattime abstime(ws-time) ddmmyyyy(ws-date) datesep
       timesep(':') end-exec
  if ws-date = spaces
    exec cics delay for seconds(1 + 1) end-exec end-if
  exec cics return end-exec.
