import type { InvitationRow } from "./queries.ts";

/** Where an invitation leads to, by the template of the options; what is put into it is text there, never more of a URL. */
export const invitationLink = (
  template: string,
  { id, email }: Pick<InvitationRow, "email" | "id">,
  baseUrl: string,
): string =>
  template
    .replaceAll("{origin}", new URL(baseUrl).origin)
    .replaceAll("{id}", encodeURIComponent(id))
    .replaceAll("{email}", encodeURIComponent(email));
