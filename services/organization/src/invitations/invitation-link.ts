import type { InvitationRow } from "./queries.ts";

/** Fills in the configured template of an invitation's link. Each value is encoded, so that it cannot change the URL around it. */
export const invitationLink = (
  template: string,
  { id, email }: Pick<InvitationRow, "email" | "id">,
  { baseUrl, application }: { baseUrl: string; application: string | undefined },
): string => {
  const { origin } = new URL(baseUrl);
  return template
    .replaceAll("{app}", (application ?? origin).replace(/\/$/, ""))
    .replaceAll("{origin}", origin)
    .replaceAll("{id}", encodeURIComponent(id))
    .replaceAll("{email}", encodeURIComponent(email));
};
