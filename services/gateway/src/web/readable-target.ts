import { webPath } from "./web-path.ts";
import { webs } from "./webs.ts";

const isReadable = (target: string): boolean => {
  try {
    decodeURI(target.replace(/[?#].*$/s, ""));
    return true;
  } catch {
    return false;
  }
};

/** An unreadable target below the path of a web is answered with its page, which shows that nothing is there. */
export const readableTarget = (
  config: Parameters<typeof webPath>[1],
): ((target: string) => string) => {
  const places = webs.flatMap((web) => {
    const place = webPath(web, config);
    return place && "path" in place ? [`${place.path}/`] : [];
  });
  return (target) => {
    const place = places.find((path) => target.startsWith(path));
    return place !== undefined && !isReadable(target) ? place : target;
  };
};
