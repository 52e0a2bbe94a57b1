       IDENTIFICATION DIVISION.
       PROGRAM-ID. ROUTER.
      * A dynamic routing program: the user names the region.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-NOTE.
           05 NOTE-FUNC PIC X(1).
           05 FILLER PIC X(1) VALUE SPACE.
           05 NOTE-SYSID PIC X(4).
           05 FILLER PIC X(1) VALUE SPACE.
           05 NOTE-ABCODE PIC X(4).
           05 FILLER PIC X(1) VALUE SPACE.
           05 NOTE-COUNT PIC 9(4).
           05 FILLER PIC X(1) VALUE SPACE.
           05 NOTE-LENGTH PIC 9(4).
           05 FILLER PIC X(1) VALUE SPACE.
           05 NOTE-ERROR PIC X(1).
           05 FILLER PIC X(7) VALUE SPACES.
       LINKAGE SECTION.
           COPY DFHDYPDS.
       01  TYPED.
           05 FILLER PIC X(5).
           05 TYPED-WORD PIC X(4).
       01  AREA-OF-APPLICATION.
           05 AREA-SYSID PIC X(4).
           05 AREA-MARK PIC X(4).
       PROCEDURE DIVISION.
           MOVE 8 TO DYRRETC.
           IF EIBCALEN NOT = LENGTH OF DFHDYPDS
               EXEC CICS RETURN END-EXEC
           END-IF.
           SET ADDRESS OF DYRUAREA TO DYRUAPTR.
           MOVE 0 TO DYRRETC.
           EVALUATE DYRFUNC
             WHEN '0' PERFORM SELECT-REGION
             WHEN '1' PERFORM SELECT-AGAIN
             WHEN OTHER PERFORM NOTE-IT
           END-EVALUATE.
           EXEC CICS RETURN END-EXEC.
       SELECT-REGION.
           MOVE 'Y' TO DYROPTER.
           IF DYRACMAL = 8
               SET ADDRESS OF AREA-OF-APPLICATION TO DYRACMAA
               MOVE AREA-SYSID TO DYRSYSID
               MOVE 'SEEN' TO AREA-MARK
           END-IF.
           IF DYRACMAL = 0 AND DYRBLGTH >= 9
               SET ADDRESS OF TYPED TO DYRBPNTR
               MOVE TYPED-WORD TO DYRUSERN(1:4)
               EVALUATE TYPED-WORD
                 WHEN 'HERE' MOVE 'TOR1' TO DYRSYSID
                 WHEN 'LOST' MOVE 'NODE' TO DYRSYSID
                 WHEN 'GONE' MOVE 'GONE' TO DYRSYSID
                 WHEN 'EVER' MOVE 'NODE' TO DYRSYSID
                 WHEN 'QUIT' MOVE 8 TO DYRRETC
                 WHEN 'STOP' MOVE 4 TO DYRRETC
                 WHEN 'GIVE' MOVE 'GONE' TO DYRSYSID
                 WHEN 'BANG'
                   EXEC CICS ABEND ABCODE('ROUT') END-EXEC
                 WHEN 'NONE' MOVE 'NONE' TO DYRTRAN
                 WHEN 'ABND' MOVE 'AOR2' TO DYRSYSID
                 WHEN 'AOR1' MOVE 'AOR1' TO DYRSYSID
                 WHEN 'AOR2' MOVE 'AOR2' TO DYRSYSID
                 WHEN OTHER CONTINUE
               END-EVALUATE
           END-IF.
       SELECT-AGAIN.
           EVALUATE DYRUSERN(1:4)
             WHEN 'EVER' CONTINUE
             WHEN 'GIVE' MOVE 8 TO DYRRETC
             WHEN OTHER
               MOVE DYRERROR TO DYRUSERN(5:1)
               MOVE 'AOR2' TO DYRSYSID
           END-EVALUATE.
       NOTE-IT.
           MOVE DYRFUNC TO NOTE-FUNC.
           MOVE DYRSYSID TO NOTE-SYSID.
           MOVE DYRABCDE TO NOTE-ABCODE.
           MOVE DYRCOUNT TO NOTE-COUNT.
           MOVE DYRACMAL TO NOTE-LENGTH.
           MOVE DYRUSERN(5:1) TO NOTE-ERROR.
           IF NOTE-ERROR = LOW-VALUE
               MOVE '-' TO NOTE-ERROR
           END-IF.
           EXEC CICS WRITEQ TS QUEUE('NOTES') FROM(WS-NOTE)
               LENGTH(30) END-EXEC.
