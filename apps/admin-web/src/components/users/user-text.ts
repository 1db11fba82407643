import { showEmail } from "@latchkey/contracts/email-address.ts";
import type { NamedUser } from "./use-named-user.ts";

/** Names a user in a text: by name and email address, if there is a name. */
export const userText = ({ name, email }: Pick<NamedUser, "name" | "email">): string =>
  name && name !== email ? `${name} (${showEmail(email)})` : showEmail(email);
