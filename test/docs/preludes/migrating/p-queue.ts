export const addresses = ['one@example.com', 'two@example.com']
export const sendMail = async (address: string): Promise<string> => address
