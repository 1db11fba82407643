/** Returns the name of a passkey, also if its user gave it none. */
export const passkeyName = ({ name }: { readonly name: string | null }): string =>
  name || "Unnamed passkey";
