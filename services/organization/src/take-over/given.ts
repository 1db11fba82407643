// What another database gives of the rows that this service takes over. Times are milliseconds since the epoch.

export interface GivenOrganization {
  id: string;
  name: string | null;
  slug: string | null;
  logo: string | null;
  metadata: string | null;
  createdAt: number | null;
}

/** What belongs to an organization. */
interface OfOrganization {
  organizationId: string | null;
  /** Whether the other database has that organization. */
  hasOrganization: boolean | null;
}

export interface GivenTeam extends OfOrganization {
  id: string;
  name: string | null;
  createdAt: number | null;
  updatedAt: number | null;
}

export interface GivenMember extends OfOrganization {
  id: string;
  userId: string | null;
  hasUser: boolean | null;
  role: string | null;
  /** One of the organization's. */
  teamId: string | null;
  /** How many of its teams the member is in. */
  teamCount: number | null;
  createdAt: number | null;
}

export interface GivenInvitation extends OfOrganization {
  id: string;
  email: string | null;
  role: string | null;
  /** One of the organization's. */
  teamId: string | null;
  status: string | null;
  expiresAt: number | null;
  inviterId: string | null;
  hasInviter: boolean | null;
  createdAt: number | null;
}
