//@ verdict: holds
//@ errors: 0
//@ states: 1573
//@ transitions: 3451
//@ check: --ltl door_shut_while_moving => holds
//@ check: --ltl top_is_served => violated
//@ check: --ltl top_is_served --fair weak => holds
//@ check: --ltl bottom_is_served --fair weak => holds
//@ check: --ltl every_call_is_served --fair weak => holds
//@ check: --ltl calls_come => violated
//@ check: --ltl calls_come --fair weak => violated
// An elevator with three floors that sweeps up and down and stops where somebody has called. As it
// never turns before the end, every call is served, whatever the people do, if only the elevator gets
// its turn to move (--fair weak). With -DGREEDY it serves the lowest call first, and a call from the
// top may wait for ever.

#define FLOORS 3

bool called[FLOORS];
byte floor_;
bool open, moving;

ltl door_shut_while_moving { [] !(open && moving) }
ltl top_is_served { [] (called[2] -> <> (open && floor_ == 2)) }
ltl bottom_is_served { [] (called[0] -> <> (open && floor_ == 0)) }
ltl every_call_is_served { [] (called[1] -> <> !called[1]) }
ltl calls_come { []<> called[1] }

inline stop_here() {
  if
  :: called[floor_] ->
     atomic { moving = false; open = true; called[floor_] = false };
     atomic { open = false; moving = true }
  :: else
  fi
}

active proctype elevator() {
  moving = true;
  do
  :: true ->
     stop_here();
#ifdef GREEDY
     if
     :: called[0] -> floor_ = 0
     :: else ->
        if
        :: called[1] -> floor_ = 1
        :: else -> floor_ = 2
        fi
     fi
#else
     if
     :: floor_ == 0 -> floor_ = 1; stop_here(); floor_ = 2
     :: floor_ == 2 -> floor_ = 1; stop_here(); floor_ = 0
     fi
#endif
  od
}

active proctype people() {
  byte where;

  do
  :: select(where : 0 .. FLOORS - 1); called[where] = true
  od
}
