/** Whether a text is an id of OpenStack: things of a cloud are given by their id or their name. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
