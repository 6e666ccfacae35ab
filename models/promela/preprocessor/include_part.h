// Included by include_main.pml.
#ifndef INCLUDE_PART
#define INCLUDE_PART

#define LIMIT 4

typedef item { byte value; bool used };

inline set_item(i, v) {
  i.value = v;
  i.used = true
}

#endif
