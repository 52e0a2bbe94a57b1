      *
      * Request to application CABASIC
      * COUNT-OUT is the number of 32-byte blocks wanted in the reply,
      * the header counting as one.
           05 COUNT-IN       PIC 9(8)  COMP-4.
           05 COUNT-OUT      PIC 9(8)  COMP-4.
