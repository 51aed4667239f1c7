// @ts-check
/** The live camera. */

/** Tell whether this browser and this service offer the live camera. */
export const offersLive = () => false;

/** Open the live camera in the page. */
export async function openLive() {}
