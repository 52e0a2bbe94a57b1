       IDENTIFICATION DIVISION.
       PROGRAM-ID. TPCSL.
      * Stock-Level: items of a district's last 20 orders of which
      * there are few.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  W-ID             PIC S9(9) COMP.
       01  D-ID             PIC S9(4) COMP.
       01  THRESHOLD        PIC S9(4) COMP.
       01  NEXT-O-ID        PIC S9(9) COMP.
       01  FIRST-O-ID       PIC S9(9) COMP.
       01  LOW-N            PIC S9(9) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY TPCSLC.
       PROCEDURE DIVISION.
           EXEC SQL WHENEVER SQLERROR GO TO SQL-FAILED END-EXEC.
           MOVE SL-W-ID TO W-ID.
           MOVE SL-D-ID TO D-ID.
           MOVE SL-THRESHOLD TO THRESHOLD.
           EXEC SQL
             SELECT D_NEXT_O_ID INTO :NEXT-O-ID FROM DISTRICT
              WHERE D_W_ID = :W-ID AND D_ID = :D-ID
           END-EXEC.
           COMPUTE FIRST-O-ID = NEXT-O-ID - 20.
           EXEC SQL
             SELECT COUNT(DISTINCT S_I_ID) INTO :LOW-N
               FROM ORDER_LINE, STOCK
              WHERE OL_W_ID = :W-ID AND OL_D_ID = :D-ID
                AND OL_O_ID < :NEXT-O-ID AND OL_O_ID >= :FIRST-O-ID
                AND S_W_ID = OL_W_ID AND S_I_ID = OL_I_ID
                AND S_QUANTITY < :THRESHOLD
           END-EXEC.
           MOVE LOW-N TO SL-LOW.
           MOVE 'Y' TO SL-STATUS.
           EXEC CICS SYNCPOINT END-EXEC.
           EXEC CICS RETURN END-EXEC.
       SQL-FAILED.
           IF SQLCODE = -911
             MOVE 'D' TO SL-STATUS
             EXEC CICS RETURN END-EXEC
           END-IF.
           EXEC CICS WRITEQ TD QUEUE('CSMT') FROM(SQLCA)
             NOHANDLE END-EXEC.
           EXEC CICS ABEND ABCODE('TPCE') END-EXEC.
