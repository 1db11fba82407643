import { t } from "../../texts.ts";

/** Returns the name of a passkey, also if its user gave it none. */
export const passkeyName = ({ name }: { readonly name: string | null }): string =>
  name || t("passkeys.unnamed");
