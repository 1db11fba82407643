/** The parts of the screen of an organization. */
export const organizationTabs = [
  "members",
  "invitations",
  "teams",
  "roles",
  "keys",
  "webhooks",
  "settings",
] as const;

export type OrganizationTab = (typeof organizationTabs)[number];
