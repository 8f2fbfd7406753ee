export const picture = new Uint8Array()
export const convert = async (bytes: Uint8Array): Promise<Uint8Array> => bytes
