       IDENTIFICATION DIVISION.
       PROGRAM-ID. CSDP.
      * Resource definitions by EXEC CICS CSD: verb, then names of
      * eight characters, as the steps give them.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  R      PIC S9(8) COMP.
       01  R2     PIC S9(8) COMP.
       01  KIND   PIC S9(8) COMP.
       01  LEN    PIC S9(8) COMP.
       01  HIGH   PIC S9(8) COMP.
       01  TEXT-1 PIC X(60).
       01  SHORT  PIC X(8).
       01  SHOW   PIC ZZZ9.
       01  AT-END PIC S9(4) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-WHAT PIC X(8).
           05 CA-A    PIC X(8).
           05 CA-B    PIC X(8).
           05 CA-TEXT PIC X(36).
           05 CA-C-AND REDEFINES CA-TEXT.
              10 CA-C PIC X(8).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 0 TO R R2.
           MOVE DFHVALUE(PROGRAM) TO KIND.
           MOVE 36 TO LEN.
           EVALUATE CA-WHAT
               WHEN 'DEFINE'
                   EXEC CICS CSD DEFINE RESTYPE(KIND) RESID(CA-A)
                        GROUP(CA-B) ATTRIBUTES(CA-TEXT) ATTRLEN(LEN)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'USERDEF'
                   EXEC CICS CSD USERDEFINE PROGRAM RESID(CA-A)
                        GROUP(CA-B) ATTRIBUTES(CA-TEXT) ATTRLEN(LEN)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'ALTER'
                   EXEC CICS CSD ALTER PROGRAM RESID(CA-A)
                        GROUP(CA-B) ATTRIBUTES(CA-TEXT) ATTRLEN(LEN)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'BADKIND'
                   MOVE 77777 TO KIND
                   EXEC CICS CSD DELETE RESTYPE(KIND) RESID(CA-A)
                        GROUP(CA-B) RESP(R) RESP2(R2) END-EXEC
               WHEN 'BADLEN'
                   MOVE -1 TO LEN
                   EXEC CICS CSD DEFINE RESTYPE(KIND) RESID(CA-A)
                        GROUP(CA-B) ATTRIBUTES(CA-TEXT) ATTRLEN(LEN)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'DELETE'
                   EXEC CICS CSD DELETE PROGRAM RESID(CA-A)
                        GROUP(CA-B) RESP(R) RESP2(R2) END-EXEC
               WHEN 'DELGROUP'
                   EXEC CICS CSD DELETE GROUP(CA-A) REMOVE
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'COPY'
                   EXEC CICS CSD COPY GROUP(CA-A) TO(CA-B)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'MERGE'
                   EXEC CICS CSD COPY GROUP(CA-A) TO(CA-B)
                        DUPNOREPLACE RESP(R) RESP2(R2) END-EXEC
               WHEN 'COPYAS'
                   EXEC CICS CSD COPY PROGRAM RESID(CA-A)
                        GROUP(CA-B) AS(CA-C)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'RENAME'
                   EXEC CICS CSD RENAME PROGRAM RESID(CA-A)
                        GROUP(CA-B) AS(CA-C)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'ADD'
                   EXEC CICS CSD ADD GROUP(CA-A) LIST(CA-B)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'BEFORE'
                   EXEC CICS CSD ADD GROUP(CA-A) LIST(CA-B)
                        BEFORE(CA-C) RESP(R) RESP2(R2) END-EXEC
               WHEN 'APPEND'
                   EXEC CICS CSD APPEND LIST(CA-A) TO(CA-B)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'REMOVE'
                   EXEC CICS CSD REMOVE GROUP(CA-A) LIST(CA-B)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'LOCK'
                   EXEC CICS CSD LOCK GROUP(CA-A)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'UNLOCK'
                   EXEC CICS CSD UNLOCK GROUP(CA-A)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'INSTALL'
                   EXEC CICS CSD INSTALL PROGRAM RESID(CA-A)
                        GROUP(CA-B) RESP(R) RESP2(R2) END-EXEC
               WHEN 'INSGROUP'
                   EXEC CICS CSD INSTALL GROUP(CA-A)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'INSLIST'
                   EXEC CICS CSD INSTALL LIST(CA-A)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'GROUP'
                   EXEC CICS CSD INQUIREGROUP GROUP(CA-A)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'INLIST'
                   EXEC CICS CSD INQUIREGROUP GROUP(CA-A) LIST(CA-B)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'LIST'
                   EXEC CICS CSD INQUIRELIST LIST(CA-A)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'ASK'
                   MOVE 60 TO LEN
                   EXEC CICS CSD INQUIRERSRCE PROGRAM RESID(CA-A)
                        GROUP(CA-B) ATTRIBUTES(TEXT-1) ATTRLEN(LEN)
                        RESP(R) RESP2(R2) END-EXEC
                   IF R = 0
                       MOVE TEXT-1 TO DFHCOMMAREA
                       EXEC CICS RETURN END-EXEC
                   END-IF
               WHEN 'SHORT'
                   MOVE 8 TO LEN
                   EXEC CICS CSD INQUIRERSRCE PROGRAM RESID(CA-A)
                        GROUP(CA-B) ATTRIBUTES(SHORT) ATTRLEN(LEN)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'BROWSE'
                   PERFORM BROWSE-GROUP
               WHEN 'LISTS'
                   PERFORM BROWSE-LISTS
               WHEN 'BOTH'
                   EXEC CICS CSD STARTBRLIST END-EXEC
                   EXEC CICS CSD STARTBRGROUP RESP(R) RESP2(R2)
                        END-EXEC
                   EXEC CICS CSD DISCONNECT END-EXEC
                   EXEC CICS CSD STARTBRGROUP END-EXEC
               WHEN 'NEXT'
                   EXEC CICS CSD GETNEXTGROUP GROUP(CA-A)
                        RESP(R) RESP2(R2) END-EXEC
           END-EVALUATE.
           PERFORM ANSWER.
       ANSWER.
           MOVE SPACES TO DFHCOMMAREA.
           IF R = 0
               MOVE 'DONE' TO DFHCOMMAREA
               EXEC CICS RETURN END-EXEC
           END-IF.
           MOVE R TO SHOW.
           STRING 'RESP ' SHOW DELIMITED BY SIZE INTO DFHCOMMAREA.
           DIVIDE R2 BY 65536 GIVING HIGH REMAINDER R2.
           MOVE R2 TO SHOW.
           MOVE SHOW TO DFHCOMMAREA(10:4).
           IF HIGH > 0
               MOVE HIGH TO SHOW
               MOVE SHOW TO DFHCOMMAREA(15:4)
           END-IF.
           EXEC CICS RETURN END-EXEC.
       BROWSE-GROUP.
           EXEC CICS CSD STARTBRRSRCE GROUP(CA-A) RESP(R) RESP2(R2)
                END-EXEC.
           IF R NOT = 0 PERFORM ANSWER.
           MOVE SPACES TO DFHCOMMAREA TEXT-1.
           MOVE 1 TO AT-END.
           PERFORM UNTIL R NOT = 0
               EXEC CICS CSD GETNEXTRSRCE RESTYPE(KIND) RESID(SHORT)
                    RESP(R) RESP2(R2) END-EXEC
               IF R = 0
                   IF KIND = DFHVALUE(PROGRAM)
                       MOVE 'P=' TO TEXT-1(AT-END:2)
                   END-IF
                   IF KIND = DFHVALUE(TRANCLASS)
                       MOVE 'C=' TO TEXT-1(AT-END:2)
                   END-IF
                   MOVE SHORT TO TEXT-1(AT-END + 2:8)
                   ADD 11 TO AT-END
               END-IF
           END-PERFORM.
           EXEC CICS CSD ENDBRRSRCE END-EXEC.
           MOVE TEXT-1 TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
       BROWSE-LISTS.
           MOVE SPACES TO TEXT-1.
           MOVE 1 TO AT-END.
           EXEC CICS CSD STARTBRLIST END-EXEC.
           PERFORM UNTIL R NOT = 0
               EXEC CICS CSD GETNEXTLIST LIST(SHORT) RESP(R) END-EXEC
               IF R = 0
                   MOVE SHORT TO TEXT-1(AT-END:8)
                   ADD 9 TO AT-END
               END-IF
           END-PERFORM.
           EXEC CICS CSD ENDBRLIST END-EXEC.
           EXEC CICS CSD STARTBRGROUP LIST(SHORT) END-EXEC.
           MOVE 0 TO R.
           PERFORM UNTIL R NOT = 0
               EXEC CICS CSD GETNEXTGROUP GROUP(CA-A) LIST(SHORT)
                    RESP(R) END-EXEC
               IF R = 0
                   MOVE CA-A TO TEXT-1(AT-END:8)
                   ADD 9 TO AT-END
               END-IF
           END-PERFORM.
           EXEC CICS CSD ENDBRGROUP LIST END-EXEC.
           MOVE TEXT-1 TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
