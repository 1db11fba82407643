/** Letters and digits that cannot be confused with each other. */
const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
const length = 20;

/** Returns a random password of 116 bits. */
export const makePassword = (): string => {
  let made = "";
  while (made.length < length) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    // 228 is the largest multiple of 57, the alphabet's length, below 256. Rejecting larger bytes keeps all characters equally likely.
    if (byte < 228) made += alphabet[byte % alphabet.length];
  }
  return made;
};
