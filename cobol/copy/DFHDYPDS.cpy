      * DFHDYPDS: what a dynamic routing program is given.
       01  DFHCOMMAREA.
         02 DFHDYPDS.
      * 0 selection, 1 selection error, 2 end, 3 notification, 4 abend
           03 DYRFUNC   PIC X(1).
           03 DYRCOMP   PIC X(2).
           03 DYRFILL1  PIC X(1).
      * Selection error: 0 unknown, 1 not in service, 2 no session,
      * 3 QUEUELIMIT, 4 MAXQTIME
           03 DYRERROR  PIC X(1).
      * Y: call again at the end
           03 DYROPTER  PIC X(1).
      * N: do not wait for a session
           03 DYRQUEUE  PIC X(1).
           03 DYRFILL2  PIC X(1).
      * 0 route, 4 end without a message, 8 end with a message
           03 DYRRETC   PIC S9(8) COMP.
      * System and transaction there
           03 DYRSYSID  PIC X(4).
           03 DYRVER    PIC S9(4) COMP.
           03 DYRTYPE   PIC X(1).
           03 DYRFILL3  PIC X(1).
           03 DYRTRAN   PIC X(8).
      * Calls for selection
           03 DYRCOUNT  PIC S9(8) COMP.
      * Terminal input
           03 DYRBPNTR  POINTER.
           03 DYRBLGTH  PIC S9(8) COMP.
           03 DYRRTPRI  PIC X(1).
           03 DYRFILL4  PIC X(1).
           03 DYRPRTY   PIC S9(4) COMP.
           03 DYRNETNM  PIC X(8).
      * Program where DYRSYSID is the own system
           03 DYRLPROG  PIC X(8).
           03 DYRDTRXN  PIC X(1).
           03 DYRDTRRJ  PIC X(1).
           03 DYRFILL5  PIC X(2).
           03 DYRSRCTK  PIC X(4).
           03 DYRABNLC  PIC X(4).
           03 DYRABCDE  PIC X(4).
           03 DYRCABP   PIC X(1).
           03 DYRLEVEL  PIC X(1).
           03 DYRFILL6  PIC X(2).
      * The application's COMMAREA
           03 DYRACMAA  POINTER.
           03 DYRACMAL  PIC S9(8) COMP.
      * DYRUSER, for DYRUAREA
           03 DYRUAPTR  POINTER.
           03 DYRPROCN  PIC X(36).
           03 DYRPROCT  PIC X(8).
           03 DYRACTN   PIC X(16).
           03 DYRACTID  PIC X(52).
           03 DYRPROCID PIC X(52).
           03 DYRACTCMP PIC X(1).
           03 DYRPROCCMP PIC X(1).
           03 DYRFILL8  PIC X(2).
           03 DYRFILL9  PIC X(8).
           03 DYRUSERID PIC X(8).
           03 DYRCHANL  PIC X(16).
           03 DYRUSER   PIC X(1024).
       01  DYRUAREA.
           03 DYRUSERN  PIC X(1024).
