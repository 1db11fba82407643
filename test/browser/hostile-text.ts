/** Hostile input of at most 255 characters: markup, right-to-left marks and a long text without breaks. */
export const hostileText =
  `<img src=x onerror="alert(1)"><script>alert(2)</script>{{7*7}} \u202Eשלום 👩‍👩‍👧‍👦 ${"W".repeat(255)}`.slice(
    0,
    255,
  );
