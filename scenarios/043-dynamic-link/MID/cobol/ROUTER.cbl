       IDENTIFICATION DIVISION.
       PROGRAM-ID. ROUTER.
      * A dynamic routing program: the first word says where.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-NOTE.
           05 NOTE-FUNC PIC X(1).
           05 NOTE-TYPE PIC X(1).
           05 FILLER PIC X(1) VALUE SPACE.
           05 NOTE-SYSID PIC X(4).
           05 FILLER PIC X(1) VALUE SPACE.
           05 NOTE-ABCODE PIC X(4).
           05 FILLER PIC X(1) VALUE SPACE.
           05 NOTE-COUNT PIC 9(4).
           05 FILLER PIC X(1) VALUE SPACE.
           05 NOTE-LPROG PIC X(8).
           05 FILLER PIC X(1) VALUE SPACE.
           05 NOTE-ERROR PIC X(1).
           05 FILLER PIC X(2) VALUE SPACES.
       LINKAGE SECTION.
           COPY DFHDYPDS.
       01  AREA-OF-APPLICATION.
           05 AREA-WORD PIC X(4).
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
           IF DYRACMAL < 4
               EXEC CICS RETURN END-EXEC
           END-IF.
           SET ADDRESS OF AREA-OF-APPLICATION TO DYRACMAA.
           MOVE AREA-WORD TO DYRUSERN(1:4).
           MOVE '-' TO DYRUSERN(5:1).
           EVALUATE AREA-WORD
             WHEN 'FAR1' MOVE 'FAR1' TO DYRSYSID
             WHEN 'FAR2' MOVE 'FAR2' TO DYRSYSID
             WHEN 'ABND' MOVE 'FAR2' TO DYRSYSID
             WHEN 'HERE' MOVE 'MID1' TO DYRSYSID
             WHEN 'MUTE' MOVE 'N' TO DYROPTER
                         MOVE 'MID1' TO DYRSYSID
             WHEN 'LOST' MOVE 'NODE' TO DYRSYSID
             WHEN 'EVER' MOVE 'NODE' TO DYRSYSID
             WHEN 'GONE' MOVE 'GONE' TO DYRSYSID
             WHEN 'GIVE' MOVE 'GONE' TO DYRSYSID
             WHEN 'QUIT' MOVE 8 TO DYRRETC
             WHEN 'BANG'
               EXEC CICS ABEND ABCODE('ROUT') END-EXEC
             WHEN 'NAME' MOVE 'MID1' TO DYRSYSID
                         MOVE 'OTHER' TO DYRLPROG
             WHEN 'NOPG' MOVE 'FAR1' TO DYRSYSID
                         MOVE 'NOPGM' TO DYRLPROG
             WHEN 'TRAN' MOVE 'FAR1' TO DYRSYSID
                         MOVE 'MIR2' TO DYRTRAN
             WHEN 'NETN' MOVE 'FARTWO' TO DYRNETNM
             WHEN 'NETX' MOVE 'NOWHERE' TO DYRNETNM
             WHEN 'BACK' MOVE 'FAR1' TO DYRSYSID
                         MOVE 'BACK' TO DYRLPROG
                         MOVE 'HERE' TO AREA-WORD
             WHEN OTHER CONTINUE
           END-EVALUATE.
       SELECT-AGAIN.
           MOVE DYRERROR TO DYRUSERN(5:1).
           EVALUATE DYRUSERN(1:4)
             WHEN 'EVER' CONTINUE
             WHEN 'GIVE' MOVE 8 TO DYRRETC
             WHEN 'LOOP' MOVE 8 TO DYRRETC
             WHEN OTHER
               MOVE 'FAR2' TO DYRSYSID
               MOVE 'WORK' TO DYRLPROG
           END-EVALUATE.
       NOTE-IT.
           MOVE DYRFUNC TO NOTE-FUNC.
           MOVE DYRTYPE TO NOTE-TYPE.
           MOVE DYRSYSID TO NOTE-SYSID.
           MOVE DYRABCDE TO NOTE-ABCODE.
           MOVE DYRCOUNT TO NOTE-COUNT.
           MOVE DYRLPROG TO NOTE-LPROG.
           MOVE DYRUSERN(5:1) TO NOTE-ERROR.
           IF NOTE-ERROR = LOW-VALUE
               MOVE '-' TO NOTE-ERROR
           END-IF.
           EXEC CICS WRITEQ TS QUEUE('NOTES') FROM(WS-NOTE)
               LENGTH(30) END-EXEC.
