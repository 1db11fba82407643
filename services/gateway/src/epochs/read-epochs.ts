/** An epoch that a user has moved on to. */
export interface UserEpoch {
  userId: string;
  epoch: number;
}

/** The epochs that an answer of a service tells of. */
export const readEpochs = (header: string | string[] | undefined): UserEpoch[] =>
  typeof header === "string"
    ? header.split(",").map((pair) => {
        const [userId = "", epoch = ""] = pair.split(":");
        return { userId: decodeURIComponent(userId), epoch: Number(epoch) };
      })
    : [];
