       IDENTIFICATION DIVISION.
       PROGRAM-ID. HANDLER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 WS-MARK PIC X(6) VALUE 'FRESH'.
       01 WS-PGM PIC X(8) VALUE 'CHECKER'.
       01 WS-EXIT PIC X(8) VALUE 'ABEXIT'.
       01 WS-CODE PIC X(4) VALUE 'MINE'.
       {{STORAGE}}
       LINKAGE SECTION.
       01 DFHEIBLK PIC X(85).
       01 DFHCOMMAREA.
          05 CA-FN PIC X.
          05 CA-FN2 PIC X.
       PROCEDURE DIVISION USING DFHEIBLK DFHCOMMAREA.
      *LABELS ON-ABEND ON-COND
           CALL 'TXMENTRY' USING TXM-NAME RETURNING TXM-BRANCH.
           GO TO ON-ABEND ON-COND DEPENDING ON TXM-BRANCH.
           MOVE 'DIRTY' TO WS-MARK.
           MOVE CA-FN2 TO CA-FN.
           EVALUATE CA-FN
           WHEN 'h'
               {{HANDLEABEND LABEL:1}}
               {{ABEND ABCODE=WS-CODE}}
           WHEN 'p'
               {{HANDLEPGM PROGRAM=WS-EXIT}}
               {{ABEND ABCODE=WS-CODE}}
           WHEN 'c'
               {{HANDLECOND LABEL:2}}
               PERFORM DO-RAISE
           WHEN OTHER
               {{HANDLEABEND LABEL:1}}
               {{LINK PROGRAM=WS-PGM COMMAREA=DFHCOMMAREA}}
           END-EVALUATE.
           MOVE 'AFTER' TO WS-MARK.
           {{NOTE FROM=WS-MARK}}
           GOBACK.
       DO-RAISE.
           {{RAISE}}
           MOVE 'UNRAIS' TO WS-MARK.
       ON-ABEND.
           {{NOTE FROM=WS-MARK}}
           {{RETURN}}
           GOBACK.
       ON-COND.
           MOVE 'COND' TO WS-MARK.
           {{NOTE FROM=WS-MARK}}
           {{RETURN}}
           GOBACK.
