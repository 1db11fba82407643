export { addressKey } from "./address-key.ts";
export { canonicalAddress } from "./canonical-address.ts";
export { signCaller, type UnsignedCaller } from "./caller-signature.ts";
export { createServer, bodyBytesMax } from "./create-server.ts";
export { wireErrorOf } from "./error-answer.ts";
export { createOperationClient, type OperationClient } from "./operation-client.ts";
export { sendRequest } from "./send-request.ts";
export { revisionHeaders } from "./revision-headers.ts";
export { createServiceClient, type ServiceClient } from "./service-client.ts";
export { createServicePool, type ServicePool } from "./service-pool.ts";
export { mountOperations } from "./mount-operations.ts";
export type {
  Answer,
  FileAnswer,
  FirstChecks,
  Handlers,
  LinkAnswer,
  ProtocolAnswer,
} from "./run-operation.ts";
export {
  readSharedAnswers,
  type SharedAnswer,
  sharedCallHeader,
  sharedCallPath,
  signSharedCall,
  writeSharedAnswers,
  writeSharedRequest,
} from "./shared-call.ts";
export {
  createOutbound,
  type Outbound,
  type OutboundInit,
  type OutboundOptions,
} from "./outbound.ts";
export { OutboundError } from "./outbound-error.ts";
export { checkReach } from "./check-reach.ts";
export { setQuery, splitUrl } from "./set-query.ts";
export { type AppUrls, applicationUrl, isTokenPage, landingPlace } from "./landing-place.ts";
export {
  requireSession,
  missingProof,
  requireStrongSession,
  type ResolvedSession,
  type ResolveOptions,
  type SessionAuthentication,
  type SessionRules,
} from "./require-session.ts";
export { isFactorPasskey, methodsOf, showAuthentication } from "./show-authentication.ts";
export {
  type Call,
  hookContext,
  issuesOf,
  type ProtocolInput,
  readCall,
  type Sent,
} from "./read-call.ts";
export { findHookSession } from "./find-hook-session.ts";
export { createReplySerializer } from "./reply-serializer.ts";
export { timesOf } from "./times-of.ts";
export { vouchedSession } from "./vouched-session.ts";
export { readBody } from "./read-body.ts";
export { createServiceTokenReader } from "./service-token.ts";
export { encodeQueryValue } from "./escape-text.ts";
export { sendJson } from "./send-json.ts";
export { isStale } from "./is-stale.ts";
export { isUnavailable } from "./unavailable.ts";
export { traceCall } from "./trace-call.ts";
