// @ts-check
// How deep data is. Plain JavaScript, as programs that node runs as they are need it too.
"use strict";

/**
 * Returns true for a value with more than `most` maps and lists in one another. It does not call itself, so it takes any depth.
 * @param {unknown} value @param {number} most
 */
function isDeeper(value, most) {
  let level = [value].filter(isCollection);
  for (let depth = 0; depth < most && level.length > 0; depth++)
    level = level.flatMap((one) => Object.values(one)).filter(isCollection);
  return level.length > 0;
}

/** @param {unknown} value @returns {value is object} */
function isCollection(value) {
  return typeof value === "object" && value !== null;
}

module.exports = { isDeeper };
