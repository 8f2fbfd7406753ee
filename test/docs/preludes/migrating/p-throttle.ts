export const sendMail = async (address: string): Promise<string> => address
