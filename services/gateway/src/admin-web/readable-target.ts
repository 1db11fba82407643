import { adminWebPath } from "./admin-web-path.ts";

const isReadable = (target: string): boolean => {
  try {
    decodeURI(target.replace(/[?#].*$/s, ""));
    return true;
  } catch {
    return false;
  }
};

/** An unreadable target below the path of the admin web is answered with its page, which shows that nothing is there. */
export const readableTarget = (
  config: Parameters<typeof adminWebPath>[0],
): ((target: string) => string) => {
  const place = adminWebPath(config);
  if (!place || "hindrance" in place) return (target) => target;
  const web = `${place.path}/`;
  return (target) => (target.startsWith(web) && !isReadable(target) ? web : target);
};
