"use client";

import { useSyncExternalStore } from "react";
import { useLatchkeyContext } from "../latchkey-context.ts";
import { useSession } from "../session/use-session.ts";
import type { Organization, OrganizationsState } from "./organization.ts";
import { organizationStoreOf } from "./organization-store.ts";

export type UseOrganization = OrganizationsState & {
  /** The active organization of the session. Null if there is none, and while it is not known. */
  organization: Organization | null;
  /** Changes the active organization, by its id; null means none. Rejects with a `LatchkeyError`. */
  setActive: (organizationId: string | null) => Promise<void>;
  /** Fetches the list again, such as after an invitation was accepted. Never rejects: a failure becomes `error`. */
  refresh: () => Promise<void>;
};

/** Returns the organizations of the signed-in user and the active one. Throws outside of a `<LatchkeyProvider>`. */
export const useOrganization = (): UseOrganization => {
  const store = organizationStoreOf(useLatchkeyContext().store);
  const state = useSyncExternalStore(store.subscribe, store.read, store.readInitial);
  const activeId = useSession().session?.activeOrganizationId;
  const organization = state.organizations.find(({ id }) => id === activeId) ?? null;
  return { ...state, organization, setActive: store.setActive, refresh: store.refresh };
};
