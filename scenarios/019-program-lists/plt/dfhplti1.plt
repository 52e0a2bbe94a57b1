* What runs when the region starts
         DFHPLT TYPE=INITIAL,SUFFIX=I1
         DFHPLT TYPE=ENTRY,PROGRAM=EARLY    second stage of initialization
         DFHPLT TYPE=ENTRY,PROGRAM=DFHDELIM
         DFHPLT TYPE=ENTRY,                                            X
               PROGRAM=(FAILS,NOWHERE)
         DFHPLT TYPE=ENTRY,PROGRAM=LATE     third stage
         DFHPLT TYPE=FINAL
         END
