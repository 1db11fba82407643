import { call, type CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";

const { listDeviceSessions, revokeDeviceSession, setActiveDeviceSession } = operations.identity;

/** Whether several users can be signed in in one browser. */
export const hasDeviceSessions = isOffered(listDeviceSessions);

/** A user of this browser, with the session. */
export type DeviceUser = CallReply<typeof listDeviceSessions>[number];

/** Reads the users of this browser, the active one first. Empty while the option is off. */
export const useDeviceUsers = () =>
  useQuery({ ...operationQuery(listDeviceSessions, {}), enabled: hasDeviceSessions });

/** Returns a mutation that makes another session of this browser the active one. */
export const useSwitch = (onSwitched: () => void | Promise<void>) =>
  useChange({
    isProof: true,
    mutationFn: (sessionToken: string) => call(setActiveDeviceSession, { body: { sessionToken } }),
    onSuccess: onSwitched,
  });

/** Returns a mutation that signs one user of this browser out. Another one may then be active, so everything is read again. */
export const useEndDeviceSession = () => {
  const client = useQueryClient();
  return useChange({
    isProof: true,
    mutationFn: (sessionToken: string) => call(revokeDeviceSession, { body: { sessionToken } }),
    onSuccess: () => client.invalidateQueries(),
  });
};
