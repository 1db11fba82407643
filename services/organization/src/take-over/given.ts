// The rows of another database that this service imports. Times are milliseconds since the Unix epoch.

export interface GivenOrganization {
  id: string;
  name: string | null;
  slug: string | null;
  logo: string | null;
  metadata: string | null;
  createdAt: number | null;
}

/** The fields of rows that belong to an organization. */
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
  /** A team of the same organization. */
  teamId: string | null;
  /** How many of the organization's teams the member is in. */
  teamCount: number | null;
  createdAt: number | null;
}

export interface GivenInvitation extends OfOrganization {
  id: string;
  email: string | null;
  role: string | null;
  /** A team of the same organization. */
  teamId: string | null;
  status: string | null;
  expiresAt: number | null;
  inviterId: string | null;
  hasInviter: boolean | null;
  createdAt: number | null;
}
