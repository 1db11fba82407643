/** Joins the parts of a name. Returns undefined if there are none. */
export const joinName = ({
  firstName,
  lastName,
}: { firstName?: string | undefined; lastName?: string | undefined } = {}): string | undefined => {
  const parts = [firstName, lastName].filter((part) => part !== undefined && part !== "");
  return parts.length > 0 ? parts.join(" ") : undefined;
};
