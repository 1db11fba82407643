import { type ActingMember, checkMember, type CheckMemberNeeds } from "./check-member.ts";

type Asked = Parameters<typeof checkMember>[2];

/**
 * Checks again, once a key is written, that the caller may still write it. A member who was removed since the first check gets no key that
 * the remaining members did not see in the list after the removal. Otherwise undoes the write, and throws the error of `checkMember`.
 */
export const confirmMember = async (
  deps: CheckMemberNeeds,
  acting: ActingMember,
  { asked, undo }: { asked: readonly Asked[]; undo: () => Promise<void> },
): Promise<void> => {
  try {
    for (const each of asked) await checkMember(deps, acting, each);
  } catch (error) {
    await undo();
    throw error;
  }
};
