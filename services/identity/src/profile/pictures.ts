import { operations, WireError } from "@latchkey/contracts";
import { sessionActor } from "@latchkey/service-kit/audit";
import {
  pictureAddress,
  readPicture,
  servePicture,
  storePicture,
} from "@latchkey/service-kit/pictures";
import type { CallOf, Deps, Handler } from "../deps.ts";
import { reissueChanged } from "../sessions/session-rules.ts";
import { changeUser } from "../users/change-user.ts";

/** Stores a picture of the caller and makes its address their image, in place of a former picture. */
export const uploadPicture: Handler<"uploadPicture"> = async (deps, call) => {
  const { body, caller, session: current } = call;
  const { id } = current.user;
  const picture = readPicture(id, body.picture);
  const image = pictureAddress(operations.identity.getPicture, call, picture);
  const changed = await changeUser(deps, {
    user: { id },
    change: { image },
    action: "user.updated",
    caller,
    actor: sessionActor(current),
    publish: async (trx, written) => {
      // The application's hook may have set another image.
      if (written.image === image) await storePicture(trx, picture);
    },
  });
  if (!changed) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  const effect = await reissueChanged(deps, current, changed);
  return { reply: { image: changed.image }, effect };
};

/** Serves the picture of a user. Throws `NOT_FOUND`. */
export const getPicture = ({ db }: Pick<Deps, "db">, { params }: CallOf<"getPicture">) =>
  servePicture(db, params.hash);
