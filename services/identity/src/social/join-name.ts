/** A name out of its parts; undefined where none was given. */
export const joinName = ({
  firstName,
  lastName,
}: { firstName?: string | undefined; lastName?: string | undefined } = {}): string | undefined => {
  const parts = [firstName, lastName].filter((part) => part !== undefined && part !== "");
  return parts.length > 0 ? parts.join(" ") : undefined;
};
