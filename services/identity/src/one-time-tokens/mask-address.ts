/** Masks an address for the page of a link, so that only its owner recognizes it. */
export const maskAddress = (email: string): string => {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}…${email.slice(at)}`;
};
