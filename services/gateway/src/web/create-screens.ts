import type { WebBuild } from "./read-build.ts";

const segmentsOf = (path: string): string[] => path.split("/").filter((segment) => segment !== "");

const matches = (route: readonly string[], path: readonly string[]): boolean =>
  route.length === path.length &&
  route.every((segment, index) => segment.startsWith("$") || segment === path[index]);

/**
 * Makes the page of every screen once, from its scripts. Returns a function that finds the page of a path below that of the web, such as
 * `users/17`. Unknown paths have a page without scripts.
 */
export const createScreens = <Page>(
  screens: WebBuild["screens"],
  pageWith: (scripts: readonly string[]) => Page,
): ((below: string) => Page) => {
  const pages = Object.entries(screens).map(([route, scripts]) => ({
    route: segmentsOf(route),
    page: pageWith(scripts),
  }));
  const other = pageWith([]);
  return (below) => {
    const path = segmentsOf(below);
    return pages.find(({ route }) => matches(route, path))?.page ?? other;
  };
};
