/** What nobody writes in good faith: markup, right-to-left marks, letters without end; 255 of them at most. */
export const hostileText =
  `<img src=x onerror="alert(1)"><script>alert(2)</script>{{7*7}} \u202Eשלום 👩‍👩‍👧‍👦 ${"W".repeat(255)}`.slice(
    0,
    255,
  );
