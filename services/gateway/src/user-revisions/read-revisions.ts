/** A user's new revision. */
export interface UserRevision {
  userId: string;
  epoch: number;
}

/** Reads the user revisions in the response header of a service. */
export const readRevisions = (header: string | string[] | undefined): UserRevision[] =>
  typeof header === "string"
    ? header.split(",").map((pair) => {
        const [userId = "", epoch = ""] = pair.split(":");
        return { userId: decodeURIComponent(userId), epoch: Number(epoch) };
      })
    : [];
