import type { QueryClient } from "@tanstack/react-query";
import { discardAllKept } from "../components/kept/kept-values.ts";

/** Removes everything that this tab knows of the user and of what they saw. Call it when they sign out, in any tab. */
export const forgetUser = (client: QueryClient): void => {
  client.clear();
  discardAllKept();
};
