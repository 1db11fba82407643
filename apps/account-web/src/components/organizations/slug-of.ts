/** Returns the short name that suits a name: lower case, without accents, with dashes for everything else. */
export const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

/** Whether a text can be a short name. */
export const isSlug = (text: string): boolean => /^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/.test(text);
