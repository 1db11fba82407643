const initialsMax = 2;

/** Returns the first letters of the first and the last word, in upper case. */
export const initialsOf = (name: string): string => {
  const words = name.split(/[\s@]+/).filter(Boolean);
  const [first = "", last = ""] = [words[0], words.length > 1 ? words.at(-1) : ""];
  return [first, last]
    .flatMap((word) => [...word].slice(0, 1))
    .slice(0, initialsMax)
    .join("")
    .toLocaleUpperCase();
};
