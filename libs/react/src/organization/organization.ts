/** An organization that the user is a member of. */
export interface Organization {
  id: string;
  name: string;
  slug: string;
  /** The address of a picture. */
  logo: string | null;
  /** ISO 8601 text in UTC. */
  createdAt: string;
  /** JSON as text. */
  metadata: string | null;
}

/** The organizations of the user. */
export type OrganizationsState =
  /** The answer of Latchkey is pending, or nobody is signed in. */
  | { status: "loading"; organizations: readonly Organization[]; error: null }
  | { status: "ready"; organizations: readonly Organization[]; error: null }
  /** The list could not be fetched. */
  | { status: "error"; organizations: readonly Organization[]; error: Error };
