/** What of the MCP SDK signing in stands on: built into a file of its own, so that no other start pays for it. */
export {
  assertSecureTokenEndpoint,
  checkResourceAllowed,
  createPrivateKeyJwtAuth,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  fetchToken,
  prepareAuthorizationCodeRequest,
  registerClient,
  resourceUrlFromServerUrl,
  selectClientAuthMethod,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
